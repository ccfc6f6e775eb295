#!/bin/sh
# Removes Predeal's service. Usage: uninstall.sh [--root DIR] [--purge]
#
# Sets, journal, machine key and configuration stay, unless --purge is given.
set -eu
root=
purge=
while [ $# -gt 0 ]; do
    case $1 in
        --root) root=${2:?--root needs a directory}; shift 2 ;;
        --purge) purge=yes; shift ;;
        *) echo "uninstall.sh: unknown option $1 (see the head of this file)" >&2; exit 2 ;;
    esac
done
if [ -z "$root" ]; then
    if [ "$(id -u)" != 0 ]; then
        echo 'uninstall.sh: be root, or give --root DIR' >&2
        exit 1
    fi
    systemctl disable --now predeal.service || true
fi
rm -f "$root/usr/lib/systemd/system/predeal.service" "$root/usr/lib/udev/rules.d/70-predeal.rules" \
    "$root/usr/lib/tmpfiles.d/predeal.conf" "$root/usr/lib/sysusers.d/predeal.conf"
rm -rf "$root/usr/lib/systemd/system/predeal.service.d"
if [ -n "$purge" ]; then
    rm -rf "$root/etc/predeal" "$root/var/lib/predeal" "$root/run/predeal"
fi
if [ -z "$root" ]; then
    systemctl daemon-reload
    udevadm control --reload
fi
if [ -n "$purge" ]; then
    echo 'Removed, with everything that was kept.'
else
    echo 'Removed. Sets, journal and key are still in /var/lib/predeal, the configuration in /etc/predeal.'
fi
