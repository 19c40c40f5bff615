import type { Block, HelpName, Reading } from '../../reading.ts'
import { termsOf } from '../../terms.ts'
import { terms } from '../terms.ts'

const publishDemand: Reading = {
  title: 'How to publish a demand',
  summary:
    'A project department publishes several lines on one sheet: parameters, dates, rent unit, duties and deadline. It takes about five minutes.',
  chapters: [
    {
      id: 'before',
      title: 'Before you start',
      blocks: [
        'Your account needs lessee certification, or your administrator adds you to a project department. Open Workbench – Demands – Publish a demand. A half-filled form is saved as a draft automatically, so nothing is lost when the network or the page goes away.',
        'If the site lies in a low-emission zone, tick it in the profile of the project department; each line of non-road machinery must then ask for stage III or better.',
      ],
    },
    {
      id: 'lines',
      title: 'Describe each line',
      blocks: [
        [
          'Category: type a name or a common name and choose the second level.',
          'Parameters: at least the main one, such as a rated capacity of at least 25 t for a truck crane. The more exact, the easier the quotes compare.',
          'Quantity, start and end: each line has its own. “Copy line” takes dates, parameters and shifts along.',
          'Rent unit: month, day, shift, hour or quantity of work. For shifts, hours and quantities enter the expected number, so that landed cost can be computed.',
          'Price ceiling: optional. The ceiling list of your organisation fills it in; a quote above it needs a reason.',
        ],
      ],
    },
    {
      id: 'duties',
      title: 'Duties and payment',
      blocks: [
        'Who provides fuel, driver, transport, erection and lodging decides whether quotes compare. State it here and lessors need not phone to ask.',
        'Payment states the billing cycle, the share of each cycle and the days to pay. Large enterprises must pay small and medium-sized ones within 60 days.',
      ],
    },
    {
      id: 'deadline',
      title: 'Deadline and sealing',
      blocks: [
        [
          'The quote deadline is at least 24 hours ahead, 2 hours for urgent demands, and at most 60 days.',
          'Questions close before quotes do.',
          'With “sealed” ticked, quotes open at the deadline only; without it you may open early. Either way nobody sees a price before the opening.',
          'Minimum quotes: if fewer arrive, you decide whether to extend, open with a reason or close without an award.',
        ],
      ],
    },
    {
      id: 'after',
      title: 'After publishing',
      blocks: [
        'Lessors with suitable machines are notified at once. You are alerted to questions, and everybody sees the answers. After the deadline all quotes open together; compare landed cost line by line, choose, give your reasons and award within 30 days; after that the demand closes without an award.',
        'Something wrong? More than 24 hours before the deadline you can change the demand, and those who quoted confirm again; later than that, extend the deadline first. An extension is also enough if all you need is time.',
      ],
    },
  ],
}

const quote: Reading = {
  title: 'How to quote',
  summary:
    'Lessors quote with real machines on the shelf: choose machines, enter prices, check landed cost, seal the quote and keep the receipt.',
  chapters: [
    {
      id: 'before',
      title: 'Getting ready',
      blocks: [
        [
          'Get certified as a lessor.',
          'Add your machines with parameters, photos and documents and submit them for review; once approved they go on the shelf. Import a workbook if you have many.',
          'You are notified of suitable demands. “Recommended” lists them by category, parameters and distance; “Near misses” says what is missing.',
        ],
      ],
    },
    {
      id: 'fill',
      title: 'Filling in the quote',
      blocks: [
        [
          'Tick real machines for each line. Those that are booked or lack documents are marked and cannot be chosen.',
          'Enter the price with VAT in the rent unit of the demand, and say whether driver and fuel are included.',
          'Transport, erection and inspection fees are for one machine and charged once.',
          'VAT: usually 13% for bare hire, 9% with a driver (construction service), 3% for small-scale or simplified taxation.',
          'Write down where you deviate; if a document expires during the hire, pledge to renew it.',
          'Skip the lines you do not want to quote.',
        ],
      ],
    },
    {
      id: 'submit',
      title: 'Submitting, changing, withdrawing',
      blocks: [
        'A submitted quote is encrypted, and only your company can read it before the opening. Keep the receipt: with it you can verify afterwards that nothing was altered.',
        'You can change or withdraw it until the deadline or an earlier opening. If the demand changes, confirm your quote or change it; if the deadline is extended, change a quote that ends less than 15 days after it. Otherwise it lapses at the opening, which may be early where the demand is not sealed.',
      ],
    },
    {
      id: 'result',
      title: 'After the opening',
      blocks: [
        'Won: your machines are booked, and the platform drafts the contract from the award. Once the project has set its clauses and sent it, check it and confirm it with an SMS code within 7 days; if no contract follows in time, the award lapses and your machines are free again. If you really cannot deliver, you may decline within 48 hours, unless you have accepted; declining and its reason are kept in the history of the demand, which the lessee sees.',
        'Not chosen: you are told why, such as price, specification, dates or documents.',
      ],
    },
  ],
}

const sealedQuotes: Reading = {
  title: 'Sealed quotes, opened together',
  summary: 'Why nobody sees a price before the opening, how the platform keeps itself out, and how you verify it.',
  chapters: [
    {
      id: 'what',
      title: 'What is sealed',
      blocks: [
        'Prices, machines, contact and phone are encrypted. Who has quoted is shown to nobody but the company itself before the opening: the lessee sees only how many quotes there are; other lessors see nothing.',
        'The lessor can open, change and withdraw their own quote at any time before the deadline or an earlier opening.',
      ],
    },
    {
      id: 'how',
      title: 'How it works',
      blocks: [
        'Each quote is stored encrypted with a key of that demand, derived from a master key outside the database. Neither the database nor the logs nor a backup shows staff a price.',
        'At the deadline the system opens all quotes at once and records the time. The console has no way to look earlier. If the platform resets a bidder’s password while quotes are sealed, the history of the demand records it and the company is notified.',
      ],
    },
    {
      id: 'verify',
      title: 'Verify it yourself',
      blocks: [
        [
          'Receipt: the SHA-256 you get when you submit. After the opening press “Verify”: your browser computes the digest of the quote again and compares.',
          'History: each step of a demand carries the hash of the one before, so altering one breaks the rest. Your browser recomputes the chain without trusting the platform.',
          'Evidence pack: after the opening you can export pages, original quotes, files, the hash chain and a manifest, and verify them offline.',
        ],
      ],
    },
  ],
}

const landedCost: Reading = {
  title: 'How landed cost is computed',
  summary:
    'Landed cost adds rent, transport, erection, fuel and driver and subtracts deductible VAT, so quotes with different duties and tax rates compare.',
  chapters: [
    {
      id: 'formula',
      title: 'The formula',
      blocks: [
        'Landed cost = rent + transport in + transport out + erection + inspection + other + driver you provide + fuel you provide − deductible VAT.',
        'Every item opens its arithmetic. Quotes are ranked net of VAT.',
      ],
    },
    {
      id: 'parts',
      title: 'How each item counts',
      blocks: [
        [
          'Rent: price with VAT × quantity, rounded to the fen for one machine, × machines. A month is 30 days; for shifts 26 a month of 8 hours; for work the expected quantity.',
          'Minimum term: if a hire by month or day is shorter than the minimum of the quote, the minimum is charged.',
          'Transport, erection, inspection, other: once for each machine.',
          'Driver you provide: if the demand asks for a driver and the quote has none, the monthly wage from the settings × months × crews.',
          'Fuel you provide: if the quote has no fuel, litres per shift of the category × shifts × the diesel price from the settings. Electric machines use no diesel.',
          'Deductible VAT: with a special VAT invoice, the invoiced sum × rate ÷ (1 + rate); nothing with a plain invoice.',
        ],
      ],
    },
    {
      id: 'example',
      title: 'An example',
      blocks: [
        'One 25 t truck crane for 60 days at CNY 24,000 a month with driver, without fuel; transport CNY 1,500 each way; 9% VAT, special invoice; 20 l a shift, diesel at CNY 7.60 a litre.',
        [
          'Rent: 24,000 × 2 months = CNY 48,000',
          'Transport: 1,500 + 1,500 = CNY 3,000',
          'Fuel: 20 l × 52 shifts × 7.60 = CNY 7,904',
          'Landed incl. VAT: CNY 58,904',
          'Deductible VAT: 51,000 × 9 ÷ 109 = CNY 4,211.01',
          'Landed cost (net of VAT): CNY 54,692.99',
        ],
      ],
    },
    {
      id: 'duration',
      title: 'If the duration changes',
      blocks: [
        'Drag “Actual duration” on the comparison to see how the ranking changes; the page says from how many days on which lessor is cheaper.',
        'Diesel price and driver wage are settings of the platform and stand beside every figure that uses them.',
      ],
    },
  ],
}

const certificationPapers: Reading = {
  title: 'Documents for certification and machines',
  summary: 'What lessors, lessees and project departments submit, and which documents a machine needs before it goes on the shelf.',
  chapters: [
    {
      id: 'lessor',
      title: 'Lessors',
      blocks: [
        [
          'Business licence (required); its scope should include leasing.',
          'Both sides of the legal representative’s identity card, or a power of attorney with the agent’s identity card.',
          'If you erect and dismantle tower cranes or hoists yourself: safety production permit and qualification for erecting lifting equipment.',
          'Optional: bank account permit, list of machines, safety pledge.',
        ],
      ],
    },
    {
      id: 'lessee',
      title: 'Lessees and project departments',
      blocks: [
        [
          'Lessee: business licence and a sealed power of attorney; construction qualification is optional.',
          'Project department: founding document or letter of appointment, or the notice of award or first page of the contract. The unit above reviews it.',
          'People added by an administrator need no certification; they sign in with the initial password they receive by SMS.',
        ],
      ],
    },
    {
      id: 'machine',
      title: 'Machines',
      blocks: [
        [
          'Every machine: proof of ownership, certificate of conformity, at least one photo.',
          'Special equipment (tower cranes, hoists, crawler and tyre cranes, gantry and bridge cranes, launchers, forklifts): use registration and periodic inspection.',
          'Building lifting machinery (tower cranes, hoists): owner filing.',
          'Machines that are erected (tower cranes, hoists, batching plants, launchers): qualification of the erecting firm.',
          'Non-road machinery (excavators, loaders, dozers, rollers): emission registration with its code.',
          'Road vehicles (truck cranes, pumps, tippers): vehicle licence, insurance, number plate and VIN.',
          'Older tower cranes and hoists: safety assessment (JGJ/T 189-2009). Tower cranes under 630 kN·m after 10 years, under 1250 kN·m after 15, others after 20; construction hoists (SC) after 8, material hoists (SS) after 5.',
          'Special equipment with driver: the driver’s certificate.',
        ],
        'The list on the upload page, made for the category, decides.',
      ],
    },
    {
      id: 'tips',
      title: 'How to pass at the first attempt',
      blocks: [
        [
          'Scan or photograph originals in colour, all four corners visible, text legible, seals clear.',
          'Enter exactly what the documents say, and check all 18 characters of the credit code.',
          'Enter when inspections and insurances end. You are reminded 45 and 7 days ahead; an expired one takes the machine off the shelf.',
          'If something is sent back, correct the marked items only.',
        ],
      ],
    },
  ],
}

const faq: Reading = {
  title: 'Frequently asked questions',
  summary: 'Questions about registration, certification, publishing, quoting, the opening and accounts.',
  chapters: [
    {
      id: 'fee',
      title: 'Does the platform cost anything?',
      blocks: ['Publishing, quoting, comparing and awarding are free. Rent never passes through the platform.'],
    },
    {
      id: 'review',
      title: 'How long does certification take?',
      blocks: ['Usually one working day. You get a message, and an open page changes to “approved” automatically.'],
    },
    {
      id: 'role',
      title: 'Our company both rents and lets. What now?',
      blocks: ['An account has one role. Register two mobile numbers and certify both with the same credit code; they become one company.'],
    },
    {
      id: 'matched',
      title: 'Why are no demands recommended to me?',
      blocks: [
        'Recommendations look at machines on the shelf. Check that yours are approved and on the shelf, their documents valid and their parameters complete; “Near misses” says what is missing.',
      ],
    },
    {
      id: 'cannot',
      title: 'Why can I not quote?',
      blocks: [
        'The quote page says why: certification expired, no machine of the category on the shelf, not invited, deadline passed, or restricted.',
      ],
    },
    {
      id: 'early',
      title: 'Can the platform look at the quotes early?',
      blocks: ['No. Quotes are encrypted until the opening, and the platform has no function to read them.'],
    },
    {
      id: 'few',
      title: 'What if there are too few quotes?',
      blocks: ['Extend the deadline, open with a reason, or close without an award. Without a decision the quotes open after three days.'],
    },
    {
      id: 'wrong',
      title: 'Can an award be corrected?',
      blocks: [
        'No. It books machines and notifies everybody at once. If the winner declines within 48 hours, you can publish the rest again.',
      ],
    },
    {
      id: 'contract',
      title: 'Can we sign contracts on the platform?',
      blocks: [
        'Yes. After an award the platform drafts the contract. The lessee sets the clauses and sends it, and it is in force once both sides have confirmed it with an SMS code. Later changes are confirmed as amendments.',
        'The contract can be downloaded as a PDF. If you need seals, print and seal it and submit the scan, which the other side compares. The platform keeps a record of both confirmations but is no certificate authority: an SMS confirmation is not a reliable electronic signature.',
      ],
    },
    {
      id: 'locked',
      title: 'My account is locked after wrong passwords.',
      blocks: ['Wait 10 minutes, sign in with an SMS code, or reset the password by SMS.'],
    },
    {
      id: 'first',
      title: 'The SMS with the initial password has not arrived.',
      blocks: ['Ask your administrator to check the mobile number under People and press “Resend initial password”.'],
    },
    {
      id: 'leave',
      title: 'How do I cancel my account?',
      blocks: [
        'Account security – Cancel account. The page lists what must be settled first; signing in within seven days withdraws the request.',
      ],
    },
  ],
}

const listOf = (chapter: keyof typeof termsOf): Block => termsOf[chapter].map((name) => terms[name].join(': '))

const glossary: Reading = {
  title: 'Glossary',
  summary: 'What monthly equivalent, net of VAT, sealed, opening, award, shift and bare hire mean on the platform.',
  chapters: [
    {
      id: 'price',
      title: 'Prices',
      blocks: [listOf('price')],
    },
    {
      id: 'deal',
      title: 'Deals',
      blocks: [listOf('deal')],
    },
    {
      id: 'machine',
      title: 'Machines',
      blocks: [listOf('machine')],
    },
  ],
}

export const help: Record<HelpName, Reading> = {
  'publish-demand': publishDemand,
  quote,
  'sealed-quotes': sealedQuotes,
  'landed-cost': landedCost,
  'certification-papers': certificationPapers,
  faq,
  glossary,
}
