#!/bin/sh
# Installs Predeal's service on a system with systemd. Usage: install.sh [--root DIR] [--program DIR]
#
# --root DIR     puts the files under DIR and starts nothing (for an image, or to look at).
# --program DIR  the virtual environment with bin/predeal (default: /opt/predeal).
# A configuration that is there already is kept. Run it again after an update.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=
program=/opt/predeal
while [ $# -gt 0 ]; do
    case $1 in
        --root) root=${2:?--root needs a directory}; shift 2 ;;
        --program) program=${2:?--program needs a directory}; shift 2 ;;
        *) echo "install.sh: unknown option $1 (see the head of this file)" >&2; exit 2 ;;
    esac
done
if [ -z "$root" ] && [ "$(id -u)" != 0 ]; then
    echo 'install.sh: be root, or give --root DIR' >&2
    exit 1
fi
if [ -z "$root" ] && [ ! -x "$program/bin/predeal" ]; then
    echo "install.sh: $program/bin/predeal is not there; install the program first, or say --program DIR" >&2
    exit 1
fi

put() { install -D -m "$1" "$2" "$root$3"; }
put 644 "$here/predeal.sysusers" /usr/lib/sysusers.d/predeal.conf
put 644 "$here/predeal.tmpfiles" /usr/lib/tmpfiles.d/predeal.conf
put 644 "$here/70-predeal.rules" /usr/lib/udev/rules.d/70-predeal.rules
sed "s|/opt/predeal/|$program/|" "$here/predeal.service" | install -D -m 644 /dev/stdin "$root/usr/lib/systemd/system/predeal.service"
if [ ! -e "$root/etc/predeal/predeal.toml" ]; then
    put 640 "$here/predeal.toml" /etc/predeal/predeal.toml
fi

if getent group gpio > /dev/null; then  # Raspberry Pi OS has it, others have not
    printf '[Service]\nSupplementaryGroups=gpio\n' |
        install -D -m 644 /dev/stdin "$root/usr/lib/systemd/system/predeal.service.d/gpio.conf"
fi

if [ -n "$root" ]; then
    echo "The files are under $root; nothing was started."
    exit 0
fi
systemd-sysusers predeal.conf
systemd-tmpfiles --create predeal.conf
chgrp predeal /etc/predeal /etc/predeal/predeal.toml
udevadm control --reload
udevadm trigger --subsystem-match=tty --subsystem-match=video4linux
systemctl daemon-reload
systemctl enable --now predeal.service
echo 'Installed. Who may use the machine joins the group: adduser NAME predeal. Then: predeal doctor'
