import type { Terms } from '../terms.ts'

export const terms: Terms = {
  monthly: [
    'Monthly equivalent',
    'daily, shift and hourly rents converted to a month for filters and sorting. Day × 30; shift × 26 (double shift × 52); hour × 8 × 26. Prices for quantities of work are not converted.',
  ],
  landed: ['Landed cost', 'everything a hire costs the lessee from transport to exit: rent, transport, erection, fuel, driver and more.'],
  net: ['Net of VAT', 'landed cost less the input VAT that can be deducted. Quotes are ranked by it.'],
  ceiling: ['Price ceiling', 'the highest price an organisation sets for a kind of machine; above it a reason is needed.'],
  minimum: ['Minimum term', 'the number of days that a hire by month or day is at least charged for.'],
  transport: [
    'Transport in and out',
    'bringing the machine to the site and taking it away, loading included; for one machine, charged once each way.',
  ],
  erection: ['Erection fee', 'erecting, anchoring, climbing and dismantling; for one machine, charged once, by a qualified firm.'],
  negotiable: ['On request', 'no public price; the quote decides.'],
  enquiry: ['Enquiry', 'several lessors quote and are compared.'],
  sealed: ['Sealed', 'quotes are encrypted, and nobody sees them before the opening.'],
  opening: ['Opening', 'all quotes become readable at the same moment; the demand moves from “Open for quotes” to “Under evaluation”.'],
  award: ['Award', 'decides which lessor supplies how many machines of which line.'],
  fail: ['No award', 'nobody gets the demand.'],
  rest: ['Rest', 'lines and quantities without an award, which can be published again.'],
  invited: ['Invited', 'only invited lessors can quote.'],
  internal: ['Internal transfer', 'idle machines of the group are used first.'],
  receipt: [
    'Receipt',
    'the SHA-256 digest of the quote’s text (machines, prices, note), to verify after the opening that it was not altered; contact and validity are not part of it.',
  ],
  shift: ['Shift', 'eight hours of one machine; 26 a month, 52 in double shift.'],
  bare: ['Bare hire', 'without a driver.'],
  mainParameter: ['Main parameter', 'what matters most of a kind of machine, such as capacity, bucket volume or working height.'],
  shelf: ['On the shelf', 'public and open for quotes.'],
  bookings: ['Bookings', 'days on which a machine is let or kept back; the others are free.'],
  emission: ['Emission stage', 'I to IV for non-road machinery. Low-emission zones require stage III or better.'],
  duplicate: ['Duplicate', 'the same machine registered more than once.'],
}
