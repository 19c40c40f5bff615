import { blankLine, type Papers } from '../papers.ts'

export const papers: Papers = {
  authorization: ({ platform, site, enterprise, code, legalPerson, agent, phone }, kind) => ({
    title: 'Power of attorney',
    file: 'Power of attorney.docx',
    paragraphs: [
      `To: ${platform}`,
      `Company: ${enterprise} (unified social credit code ${code}), legal representative: ${legalPerson}.`,
      `Agent: ${agent}, identity card number: ${blankLine}, phone: ${phone}.`,
      `We authorise the agent to act for us on ${site} as follows:`,
      '1. to register an account, and to submit and change the documents of our certification;',
      ...(kind === 'lease'
        ? [
            '2. to set up units and project departments, and to add and deactivate people;',
            '3. to publish and change demands, to answer questions, and to open, compare and award;',
          ]
        : [
            '2. to register machines, to list and unlist them, and to maintain their rents, bookings and documents;',
            '3. to quote for demands, to change, confirm and withdraw quotes, and to accept or decline an award;',
          ]),
      '4. to receive the notices of the platform.',
      'We bear the legal consequences of what the agent does in our name within this scope. The agent may not delegate it.',
      `Valid from ${blankLine} to ${blankLine}.`,
    ],
    signatures: ['Company (seal):', 'Legal representative (signature):', 'Agent (signature):', `Date: ${blankLine}`],
  }),
  safetyPledge: ({ platform, site, enterprise, code }) => ({
    title: 'Safety pledge',
    file: 'Safety pledge.docx',
    paragraphs: [
      `To: ${platform}`,
      `${enterprise} (unified social credit code ${code}) lets construction machines through ${site} and pledges:`,
      '1. Our machines have certificates of conformity. Where registration, filing or inspection is required, it is valid and in date.',
      '2. We let no machine that is banned or withdrawn by the state, beyond its permitted age, below the safety standard, without complete safety records, or without working safety devices.',
      '3. Before a machine enters a site we check and maintain it, hand over its manual, safety records and maintenance records, and state in writing how it is used safely.',
      '4. Drivers whom we send hold valid certificates, have been instructed, break no rule and may refuse an unlawful order.',
      '5. Where we erect or dismantle, a firm with the qualification and the safety permit does so by an approved plan.',
      '6. During the hire we inspect, maintain and repair as agreed. A machine with a hazard stops until the hazard is removed.',
      '7. We report an accident at once to the lessee and the authorities, secure the place, and assist rescue and investigation.',
      '8. We answer for the truth of the documents submitted. Whoever breaks this pledge is liable by law and under the rules of the platform.',
    ],
    signatures: ['Company (seal):', 'Legal representative (signature):', `Date: ${blankLine}`],
  }),
}
