import { amountText } from '../../amount-text.ts'
import type { ContractClauses, StopKind } from '../../contract/clauses.ts'
import type { ClauseWords } from '../clause-words.ts'

/** As in the catalogue, whose words the pages of contracts do not fetch in a second language. */
const counted = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`
const days = (n: number) => counted(n, 'day')
const hours = (n: number) => counted(n, 'hour')
const stopKinds = {
  spring: 'Spring Festival',
  owner: 'the project owner',
  lessee: 'the lessee',
  weather: 'bad weather',
  government: 'an order of the authorities',
  fault: 'a fault of the machine',
} satisfies Record<StopKind, string>

const sentences: ClauseWords['sentences'] = {
  startRule: ({ startRule }: ContractClauses) =>
    ({
      accept: 'Rent starts on the day the machine passes acceptance.',
      arrive: 'Rent starts on the day the machine arrives.',
      joint: 'Rent starts on the day all parties accept the machine jointly.',
    })[startRule],
  acceptHours: ({ acceptHours }) =>
    `The lessee accepts a machine within ${hours(acceptHours)} of its arrival; where rent starts with that acceptance and the lessee neither accepts nor objects in writing, it starts on the day on which that time ends.`,
  endRule: ({ endRule }) =>
    ({
      notice:
        'Rent ends on the day that the exit request names, or on the day of the request plus the days of notice where that is the later day.',
      exit: 'Rent ends on the day on which the machine leaves after the exit inspection.',
      dismantled: 'Rent ends on the day the machine is dismantled and ready to leave.',
    })[endRule],
  noticeDays: ({ noticeDays }) =>
    noticeDays === 0
      ? 'The lessee may request an exit at any time; where the request decides when rent ends, that is no earlier than the day of the request.'
      : `The lessee requests an exit ${days(noticeDays)} ahead; where the request decides when rent ends, that is no earlier than ${days(noticeDays)} after the day of the request.`,
  afterEnd: ({ afterEnd }) => `A machine kept in use beyond the planned hire without another agreement costs ${afterEnd}% of its price.`,
  dayCount: ({ dayCount }) =>
    ({
      both: 'The first and the last day both count.',
      head: 'The first day counts and the last does not.',
      tail: 'The last day counts and the first does not.',
      none: 'Neither the first nor the last day counts.',
    })[dayCount],
  cutDay: ({ cutDay }) => `A settlement period runs from day ${cutDay} of a month to the day before the next one begins.`,
  partMonth: ({ partMonth }) =>
    partMonth === 'thirty'
      ? 'Part of a month costs a thirtieth of the month price for each day, and no more than a month.'
      : 'Part of a month counts as a month.',
  deductDay: ({ deductDay }) =>
    deductDay === 'period'
      ? 'A day taken off is the rent of the period divided by its charged days.'
      : 'A day taken off is a thirtieth of the month price.',
  minUnits: ({ minUnits }) =>
    minUnits === null
      ? 'No minimum amount of work is agreed.'
      : `Hires by the shift or hour have a minimum of ${counted(minUnits, 'unit')} in 30 days; that of a period is its days of hire without whole days of stops, weather and faults, divided by 30 and multiplied by ${minUnits}. The units by which the work of the period falls short, to two places, are charged at the price; overtime counts as its hours divided by the hours of a shift, and standby at its rate.`,
  minPerDay: ({ minPerDay }) =>
    minPerDay === null
      ? 'No minimum for a working day is agreed.'
      : `Less than ${counted(minPerDay, 'unit')} on a day with work counts as ${minPerDay}.`,
  logRule: ({ logRule }) =>
    logRule === 'needed'
      ? 'A work log is written every day and signed by both; settlements rest on it.'
      : 'Rent counts by time; work logs are voluntary.',
  dayHours: ({ dayHours }) => `A day counts as ${hours(dayHours)}.`,
  hourCap: ({ hourCap }) =>
    hourCap === null
      ? 'No cap on hours a month is agreed, and a machine hired by the month has no overtime.'
      : `A machine hired by the month works at most ${hours(hourCap)} a month; for part of a month the cap is in proportion to the months charged.`,
  overFactor: ({ overFactor, hourCap }) =>
    hourCap === null
      ? `For hires by the day or shift, an hour of overtime costs ${overFactor}% of the price divided by the hours of a shift.`
      : `An hour of overtime costs ${overFactor}% of the month price divided by the cap on hours a month, and for hires by the day or shift ${overFactor}% of the price divided by the hours of a shift.`,
  shiftHours: ({ shiftHours }) =>
    `A shift has ${hours(shiftHours)}, and a work log counts as one shift at most; for hires by the day or shift, work beyond ${hours(shiftHours)} on a day or in a shift is overtime.`,
  shiftRound: ({ shiftRound }) =>
    shiftRound === 'half'
      ? 'Up to half a shift counts as half, anything above as one.'
      : 'Shifts are the hours worked divided by the hours of a shift, to two places.',
  standbyRate: ({ standbyRate }) =>
    `Standby is settled at ${standbyRate}% of the price: for hires by the shift, its hours divided by the hours of a shift; for hires by the hour, its hours.`,
  weatherRate: ({ weatherRate }) => `A shift lost to the weather is settled at ${weatherRate}% of the price of a shift.`,
  fuelPrice: ({ fuelPriceFen }) =>
    fuelPriceFen === null
      ? 'Neither side fuels for the other.'
      : `Fuel that one side supplies for the other costs CNY ${amountText(fuelPriceFen)} a litre.`,
  stopRules: ({ stopRules }) =>
    `Rent while a machine stands by agreement: ${(Object.keys(stopKinds) as StopKind[])
      .map((kind) => {
        const { freeDays, rate } = stopRules[kind]
        return `for ${stopKinds[kind]} ${freeDays > 0 ? `the first ${days(freeDays)} of a year and position are free, then ` : ''}${rate}%`
      })
      .join('; ')}.`,
  stopNotice: ({ stopNotice }) =>
    `${stopNotice === 0 ? 'A stop counts from the day of its notice at the earliest' : `A stop is announced ${days(stopNotice)} ahead and counts no earlier than ${days(stopNotice)} after the day of its notice`}; the days before cost the full rent. A stop for bad weather may count from 2 days before its notice.`,
  faultHours: ({ faultHours }) =>
    `Faults that both sides put down to wear or to an unknown cause do not lower the rent for up to ${hours(faultHours)} for each machine and period, or as many as are in proportion to the days of hire in the period. Hours beyond that are converted into days, which are taken off up to the days of full rent. A fault by misuse does not lower the rent.`,
  swapDays: ({ swapDays }) =>
    `Where a fault is not repaired within ${days(swapDays)}, the lessee may ask for an equal machine without another fee for transport in, hire elsewhere with the difference paid by the lessor, or end the hire for the fault without a fee for transport out and without the minimum term. Whole days without a usable machine between the fault and its replacement bear no rent. This does not hold for a fault by misuse.`,
  payRatio: ({ payRatio }) => `Once a settlement is confirmed, ${payRatio}% of it is paid.`,
  payDays: ({ payDays }) =>
    `Progress payments are made within ${days(payDays)} of the confirmation by both, whether or not the lessee has been paid by somebody else.`,
  restAt: ({ restAt }) =>
    restAt === 'exit' ? 'The balance is due once all machines have left.' : 'The balance is due once the final settlement is confirmed.',
  restDays: ({ restDays }) => `The balance is paid within ${days(restDays)}.`,
  nonCash: ({ nonCash }) =>
    nonCash === null
      ? 'Everything is paid in cash or by transfer.'
      : `Up to ${nonCash.share}% may be paid by bills that mature within ${counted(nonCash.months, 'month')}.`,
  advance: ({ advance }) =>
    advance === 0 ? 'There is no advance payment.' : `The lessee pays ${advance}% of the contract sum in advance.`,
  recoverAt: ({ advance, recoverAt }) =>
    advance === 0
      ? 'There is no advance to recover.'
      : `The advance is recovered from progress payments, all of it by the time ${recoverAt}% of the sum is settled.`,
  answerDays: ({ answerDays }) => `A settlement is answered within ${days(answerDays)}.`,
  silentClock: ({ silentClock }) =>
    silentClock
      ? 'Where the lessor sent the settlement and the lessee does not answer, the term of payment begins for the amount sent when that time ends, which does not confirm the amount; where the lessee sent it, no term begins until the lessor answers.'
      : 'Without an answer the term of payment still begins with the confirmation by both.',
  lateRate: ({ lateRate }) =>
    lateRate === null ? 'Late payments bear 0.05% a day.' : `Late payments bear interest of ${(lateRate / 100).toFixed(2)}% a year.`,
  invoiceFirst: ({ invoiceFirst }) =>
    invoiceFirst ? 'The lessor invoices before the lessee pays.' : 'The lessor invoices once the lessee has paid.',
  taxChange: ({ taxChange }) =>
    taxChange === 'net'
      ? 'When a tax rate changes, rents without tax stay, and so do one-off fees with tax.'
      : 'When a tax rate changes, rents and one-off fees with tax stay.',
  bond: ({ bond }) =>
    bond === null
      ? 'No performance bond is asked for.'
      : `The lessor gives a performance bond of ${bond.share}% of the contract sum, ${bond.kind === 'letter' ? 'as a letter of guarantee' : 'in cash or as a letter of guarantee'}.`,
  retention: ({ retention }) => (retention === 0 ? 'Nothing is retained.' : `${retention}% of each settlement is retained.`),
  retentionDays: ({ retention, retentionDays }) =>
    retention === 0
      ? 'No term for returning a retention applies.'
      : `The retention is returned within ${days(retentionDays)} of the day on which all machines have left.`,
  deposit: ({ depositFen }) =>
    depositFen === 0 ? 'The lessee pays no deposit.' : `The lessee pays a deposit of CNY ${amountText(depositFen)}.`,
  depositDays: ({ depositFen, depositDays }) =>
    depositFen === 0
      ? 'No term for returning a deposit applies.'
      : `The deposit is returned within ${days(depositDays)} of the final settlement.`,
  entryPenalty: ({ entryPenalty }) =>
    entryPenalty === 0
      ? 'A late entry bears no penalty.'
      : `For each day of a late entry the lessor pays ${entryPenalty}% of the position's rent for a day.`,
  quitPenalty: ({ quitPenalty }) =>
    quitPenalty === 0
      ? 'A machine removed without agreement is compensated by the actual loss.'
      : `For a machine removed without agreement the lessor pays ${quitPenalty}% of the position's rent for a month.`,
  outRatio: ({ outRatio }) => `Items outside the contract are settled up to ${outRatio}% of its sum; more needs an amendment.`,
  venue: ({ venue }) =>
    venue.kind === 'court' ? "Disputes go to the court of the project's place." : `Disputes go to arbitration by ${venue.name}.`,
  extras: ({ extras }) =>
    extras.length === 0 ? 'Nothing else is agreed.' : extras.map((text, index) => `(${index + 1}) ${text}`).join('\n'),
}

export const clauseWords: ClauseWords = {
  sentences,
  stopKinds,
  agreed: {
    duties: (transport, erection, lodging) =>
      `Transport in and out is arranged by: ${transport}; erection and dismantling by: ${erection}; board and lodging of drivers by: ${lodging}. What the price and the fees of a position include is not charged again.`,
    cycle: {
      quarter:
        'The demand agrees on payment by the quarter: the settlements of a quarter are paid together, within the term from the confirmation of the last of them by both.',
      end: 'The demand agrees on payment on completion: all settlements are paid together, within the term from the confirmation of the final settlement by both.',
    },
    renewal: (positions) =>
      `${/^\d+$/.test(positions) ? 'Position' : 'Positions'} ${positions}: as pledged in the quote, the lessor renews in time every machine document that ends before the exit.`,
    deviation: (positions, deviation) =>
      `Deviation of ${/^\d+$/.test(positions) ? 'position' : 'positions'} ${positions} from the demand: ${deviation}`,
    note: (note) => `Note of the quote: ${note}`,
    terms: (terms) => `Further requirements of the demand: ${terms}`,
    more: 'For the rest, the demand and the quote hold as they are stored on the platform.',
  },
  document: {
    title: 'Equipment hire contract',
    parties: 'Parties',
    lessee: (company, dept) => `Lessee (party A): ${company} (${dept})`,
    lessor: (company) => `Lessor (party B): ${company}`,
    head: 'In short',
    name: (title) => `Title: ${title}`,
    code: (code, own) => `Contract number: ${code}${own ? `; number of the lessee: ${own}` : ''}`,
    project: (name, place) => `Project and place: ${name}, ${place}`,
    period: (from, to) => `Planned hire: from ${from} to the day before ${to}`,
    holds: (revision, day) => `Holds from: version ${revision} holds from ${day}; the days before keep the versions before`,
    amount: (amount, capital, net, tax) =>
      `Contract sum (tax included, estimated): CNY ${amount} (${capital}), CNY ${net} without tax, tax CNY ${tax}; settlements decide`,
    scales: (lessee, lessor) => `Size at signing (as declared): lessee ${lessee}, lessor ${lessor}`,
    noScale: 'not declared',
    positions: 'Positions',
    position: (no, name, spec, code, qty) => `Position ${no}: ${name}${spec ? `, ${spec}` : ''}, machine ${code}, quantity ${qty}`,
    price: (price, unit, rate, invoice) => `  Price for each machine CNY ${price} per ${unit} (tax ${rate}% included, ${invoice})`,
    priceFrom: (day, price) => `  From ${day}: ${price.trim()}`,
    dates: (from, to, min) => `  Hire from ${from} to the day before ${to}${min > 0 ? `, at least ${days(min)}` : ''}`,
    fees: (parts) => `  Charged once for each machine: ${parts}`,
    noFees: '  Nothing is charged once',
    positionCancelled: '  Cancelled by an amendment',
    separator: ', ',
    fee: { entry: 'transport in', exit: 'transport out', erection: 'erection', inspection: 'inspection', other: 'other' },
    duties: (driver, fuel) => `  Driver ${driver ? 'included' : 'not included'}, fuel ${fuel ? 'included' : 'not included'}`,
    indent: '  ',
    work: (shift, quantity) => `Work in: ${shift}${quantity ? `, estimated ${quantity} for each machine` : ''}`,
    clauses: 'Annex 1: prices and payment',
    minTerm:
      'Where a machine is hired for fewer days than the minimum of its position, the missing days are charged in the final settlement: a thirtieth of the month price each for hires by the month, the day price for hires by the day. They are not charged where the hire ends for a fault of the machine, by a replacement that the lessor refuses, or by a termination of the lessor.',
    binding: 'Annex 1 decides about money: where another term differs from this table, amounts follow the table.',
    ownForm: 'Annex 2: form of the lessee',
    ownFormBinding: (files) =>
      `The lessee attaches its own form in ${counted(files, 'file')}, known by the hashes below. Annex 1 decides about money, and goes before the form where they differ.`,
    ownFormFile: (no, name, size, sha256) => `Annex 2-${no}: ${name}, ${counted(size, 'byte')}, SHA-256 ${sha256}`,
    noOwnForm: 'None.',
    safety: 'Annex 3: safety (lifting machines)',
    safetyLines: [
      'The lessor hands over the manufacturing licence, the certificate of conformity, the certificate of supervised manufacture, the filing, its own inspection certificate and the manual for erection and use (Order 166, arts. 4 and 6).',
      'The lessor answers for the safety of the machine and maintains it by its manual; the record stays with the machine.',
      'The lessee provides foundations and surroundings as required, and a full-time safety officer on site.',
      'A qualified firm plans and carries out erection and dismantling; nobody uses the machine before its acceptance.',
    ],
    account:
      'The lessor names the bank account when it confirms; it is recorded in the chain. A change needs an amendment and takes effect 24 hours after the lessee confirms it; the lessee is told by SMS when it is proposed, is confirmed and takes effect.',
    traceTitle: 'Confirmation on the platform',
    trace:
      'Both sides confirm this text on the platform with an SMS code. That is a record, not a reliable electronic signature; the sealed document, where it agrees with this text, is what counts.',
    traceOfChange: (code) =>
      `Both sides confirmed version 1 with an SMS code; this version was made by amendment ${code}, which both sides confirmed on the platform. These are records, not reliable electronic signatures; the sealed document with its amendments, where they agree with this text, is what counts.`,
  },
}
