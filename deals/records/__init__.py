"""What is printed or exported from a set of boards: hand records, labels, sheets, scoring files."""
