/** The words of the trade that the glossary of the help explains, by its chapters. Forms explain some of them beside the field. */
export const termsOf = {
  price: ['monthly', 'landed', 'net', 'ceiling', 'minimum', 'transport', 'erection', 'negotiable'],
  deal: ['enquiry', 'sealed', 'opening', 'award', 'fail', 'rest', 'invited', 'internal', 'receipt'],
  machine: ['shift', 'bare', 'mainParameter', 'shelf', 'bookings', 'emission', 'duplicate'],
} as const

export type TermName = (typeof termsOf)[keyof typeof termsOf][number]
/** A term and its meaning. */
export type Terms = Record<TermName, readonly [term: string, meaning: string]>
