#!/bin/sh
# Prints what the program takes of the chip, and fails when it takes more than it may.
set -eu
avr-size -A "$1" | awk -v stack="$(awk '/define STACK_BYTES/ { print $3 }' "$2")" '
    $1 == ".text" { text = $2 }
    $1 == ".data" { data = $2 }
    $1 == ".bss" || $1 == ".noinit" { bss += $2 }
    END {
        flash = text + data; ram = data + bss + stack + 16
        printf "flash %d of 262144 bytes (%.1f %%, at most 40)\n", flash, flash / 2621.44
        printf "RAM   %d of 8192 bytes (%.1f %%, at most 50): %d static, %d for the stack\n",
            ram, ram / 81.92, data + bss, stack + 16
        if (text == 0 || flash > 0.4 * 262144 || ram > 0.5 * 8192) {
            print "The program is too big for the chip." > "/dev/stderr"
            exit 1
        }
    }'
