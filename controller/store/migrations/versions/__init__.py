"""One module a revision, numbered; a revision that was ever released is never changed."""
