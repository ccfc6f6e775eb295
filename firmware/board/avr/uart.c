/* UART 0 at 500 kbaud, 8N1: rings between its interrupts and the main loop. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"

enum {
    BAUD = 500000,
    RX_RING = 64, /* both: powers of two, at most 128; indices wrap by themselves */
    TX_RING = 32
};

static volatile uint8_t rx[RX_RING], tx[TX_RING];
static volatile uint8_t rx_head, rx_tail, tx_head, tx_tail;

void uart_start(void)
{
    UBRR0 = F_CPU / 8 / BAUD - 1;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* After a long step interrupt two bytes may wait. One for which there is no room is lost, and its frame with it: the
 * host sends again. */
ISR(USART0_RX_vect)
{
    uint8_t head = rx_head;
    do {
        uint8_t byte = UDR0;
        if ((uint8_t)(head - rx_tail) != RX_RING)
            rx[head++ % RX_RING] = byte;
    } while (UCSR0A & _BV(RXC0));
    rx_head = head;
}

ISR(USART0_UDRE_vect)
{
    uint8_t tail = tx_tail;
    if (tail == tx_head) {
        UCSR0B = (uint8_t)(UCSR0B & ~_BV(UDRIE0));
        return;
    }
    UDR0 = tx[tail % TX_RING];
    tx_tail = (uint8_t)(tail + 1);
}

bool uart_take(uint8_t *byte)
{
    uint8_t tail = rx_tail;
    if (tail == rx_head)
        return false;
    *byte = rx[tail % RX_RING];
    rx_tail = (uint8_t)(tail + 1);
    return true;
}

bool uart_waiting(void)
{
    return rx_head != rx_tail;
}

bool uart_room(void)
{
    return (uint8_t)(tx_head - tx_tail) < TX_RING;
}

void uart_put(uint8_t byte)
{
    uint8_t head = tx_head, status = SREG;
    tx[head % TX_RING] = byte;
    tx_head = (uint8_t)(head + 1);
    cli();
    UCSR0B |= _BV(UDRIE0);
    SREG = status;
}
