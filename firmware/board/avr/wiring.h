/* Which pin of the ATmega2560 each name of src/pins.h hangs on: whole ports, bit for bit (table: docs/firmware.md). */
#ifndef PREDEAL_WIRING_H
#define PREDEAL_WIRING_H

/* Bit n of the output word is bit n of this port. */
#define WIRE_OUTPUTS A

/* Bits 0 to 7 of the input word, and bits 8 to 14. */
#define WIRE_INPUTS_LOW C
#define WIRE_INPUTS_HIGH L

/* STEP of belt and feeder. */
#define WIRE_STEPS B
#define WIRE_STEP_BELT 5
#define WIRE_STEP_FEEDER 6

/* Channel n of the analog inputs is ADC n, on port F. */

#endif
