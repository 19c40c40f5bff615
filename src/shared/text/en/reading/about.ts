import type { About } from '../../reading.ts'

export const about: About = {
  title: 'About us',
  lead: '{site} is where construction machines are rented on comparable prices. Projects publish one demand, certified lessors seal quotes for real machines, all quotes open together, and landed cost decides line by line.',
  brand: {
    title: 'What we stand for',
    paragraphs: [
      'Finding machines is easy; comparing prices is not. With a driver or without, who buys the fuel, how transport is charged, whether VAT is deductible: we put it on one sheet, and every figure opens its arithmetic.',
      'Prices stay sealed until the opening. Nobody looks earlier, not even us.',
    ],
    example: '25 t truck crane, 60 days',
    parts: [
      ['Rent', 48_000],
      ['Transport', 3000],
      ['Fuel', 7904],
      ['Deductible VAT', -4211],
    ],
    landed: 'Landed cost',
  },
  business: {
    title: 'How we work',
    points: [
      {
        title: 'Own machines first',
        text: 'A new demand first meets the idle machines of the group, with distance, transport and savings. Only then does it go to the market, and the reasons stay with the demand.',
      },
      {
        title: 'Documents until the exit',
        text: 'Inspection, registration, insurance and drivers are checked for the whole hire, not for today, and once more before the award.',
      },
      {
        title: 'Your data is yours',
        text: 'Quotes, comparisons and reasons can be exported at any time. Every step enters a hash chain that your own browser verifies.',
      },
    ],
  },
  team: {
    title: 'Team and partners',
    lead: 'People who know machines, contracts and software build the platform together. Each field was tried on sites and in rental yards before it stayed.',
    roles: [
      {
        title: 'Certification',
        text: 'Checks licences, authority and qualifications one by one, says what is wrong and why, and usually decides within a working day.',
      },
      {
        title: 'Machine review',
        text: 'Checks ownership, conformity, inspection and serial numbers, finds duplicates and watches documents that are about to expire.',
      },
      {
        title: 'Customer service',
        text: 'Helps projects with their first demand and lessors with importing machines, and answers all feedback within a working day.',
      },
      {
        title: 'Product and engineering',
        text: 'Site, cost and contract people sit with engineers: rules first, code second, and the rules are public.',
      },
    ],
  },
  partners: { title: 'Partners', lead: 'Certified lessors that have been active lately; their documents are verified.' },
  join: {
    title: 'Working together',
    ways: [
      {
        title: 'Rental firms and owners',
        text: 'Get certified, add machines, and hear of suitable demands at once. Quoting is free; a workbook imports a whole fleet.',
      },
      {
        title: 'Contractors',
        text: 'Model company, units and projects, share ceilings and approvals, and see the rentals and savings of every project.',
      },
      {
        title: 'Manufacturers and finance',
        text: 'Rental branches of manufacturers are welcome; insurers and leasing firms can talk to us about verifying documents and sharing data.',
      },
    ],
  },
  questions: {
    title: 'Before we start',
    points: [
      {
        title: 'Does it cost anything?',
        text: 'Publishing, quoting, comparing and awarding are free, and ranking is not for sale. Rent is settled directly between the parties.',
      },
      {
        title: 'Can the platform read quotes?',
        text: 'Not before the opening. Each demand has its own key, and the console cannot look earlier.',
      },
      {
        title: 'Who gets our data?',
        text: 'Nobody buys or receives it. Contacts are shown to signed-in, certified users only, and each view is recorded.',
      },
      {
        title: 'We have a purchasing system.',
        text: 'The platform has an open API: demands, quotes and awards can be read and written under the same rules.',
      },
    ],
  },
  news: 'Platform notices',
  contact: {
    title: 'Talk to us',
    text: 'To join, to try it out or to suggest something, leave a note; we reply within one working day.',
    link: 'Contact form',
    help: 'Help centre',
  },
}
