import type { AgreementName, Reading } from '../../reading.ts'

const terms: Reading = {
  title: 'Terms of use',
  summary: 'What you and the operator of the platform agree on: accounts, certification, publishing, quoting, liability and changes.',
  chapters: [
    {
      id: 'parties',
      title: '1. The parties and the role of the platform',
      blocks: [
        'These terms are an agreement between you and {company} (the “operator”) and cover every service of {site} (the “platform”). They bind you once you tick them on registration. If you act for an organisation, you confirm that it has authorised you; the terms then bind it as well.',
        'The platform is an e-commerce platform in the sense of the E-Commerce Law of China. It provides information services: publishing demands, showing machines, quoting, comparing, awarding, notifying and keeping evidence. It is not a party to the rental contract, lets no machines, collects no rent and guarantees for nobody. Lessee and lessor conclude and perform the rental contract themselves.',
        'The Platform Rules and the Privacy Policy apply together with these terms. Where the Chinese text differs, the Chinese text prevails.',
      ],
    },
    {
      id: 'account',
      title: '2. Your account',
      blocks: [
        'You must be at least eighteen and register with your own mobile number. An account has one role: lessor, lessee organisation or project department.',
        [
          'Accounts may not be lent or transferred. Keep your password, SMS codes and recovery codes to yourself. What is done with your account counts as done by you unless you can show that it was stolen.',
          'Administrators who add a person must have that person’s consent, and deactivate the account when the person leaves.',
          'If your account has been stolen, sign out all devices, change your password and contact us at once.',
          'You can ask to cancel your account under Account security at any time. Open demands, unopened quotes, unfinished deals, contracts that need you and restriction cases must be settled first, and an organisation keeps at least one administrator. A cooling-off period of seven days follows; signing in withdraws the request.',
        ],
      ],
    },
    {
      id: 'certification',
      title: '3. Certification and truthful information',
      blocks: [
        'You must be certified before you publish or quote. The information and documents you submit must be true, complete and valid, and be updated when they change or are renewed.',
        'The platform verifies and registers who you are as the law requires, reviews each document, and withdraws the permissions of a role when its documents expire. A review covers what you submitted; it is no guarantee of your performance.',
        'If documents are forged, altered or used without authority, the platform may revoke the certification, take machines down, restrict the company under the Platform Rules and report it to the authorities.',
      ],
    },
    {
      id: 'conduct',
      title: '4. What you promise',
      blocks: [
        [
          'Demands are real, machines are yours to let, and prices, dates and documents match reality.',
          'No collusion, no quotes in another name, no plainly false prices to push others out.',
          'Contact details you are shown are used for that demand only; content is not harvested in bulk.',
          'No illegal content, viruses or files that infringe the rights of others.',
          'Whoever lets special equipment or lifting machinery follows the laws on special equipment and construction safety and lets no machine that is banned, scrapped, uninspected or rejected on inspection.',
        ],
      ],
    },
    {
      id: 'quotes',
      title: '5. The effect of quotes and awards',
      blocks: [
        'A quote is a binding offer of the lessor for as long as it states, at least fifteen days after the deadline. Until the deadline or an earlier opening it can be changed or withdrawn.',
        'An award is the lessee’s confirmation of the chosen lines. It is final and books the machines at once. Both sides conclude a written contract within the time set by the Platform Rules: the platform drafts it from the award, the lessee completes and sends it, the lessor confirms it, then it is printed, signed and sealed. An award that is not contracted in time lapses and the machines are free again. For six months or more Article 707 of the Civil Code requires writing.',
        'A winner may decline an award within forty-eight hours, unless they have accepted it; declining and its reason are kept in the history of the demand. Payments to small and medium-sized enterprises must keep the statutory time limits.',
        'The platform’s records serve to establish facts. They are not reliable electronic signatures under the Electronic Signature Law and do not replace a signed contract.',
      ],
    },
    {
      id: 'content',
      title: '6. Content and data',
      blocks: [
        'What you submit remains yours. You allow the platform to store, show and transmit it in order to provide the service, for example machine photos in the library, or quotes to the lessee after the opening.',
        'You can export your data at any time. Records of demands, quotes and awards belong to both sides of a deal, so neither can have them deleted alone.',
      ],
    },
    {
      id: 'liability',
      title: '7. Liability',
      blocks: [
        'The operator is liable for its own faults as the law provides. It is not liable, as far as the law allows, for force majeure, failures of networks or power, or your own equipment and actions, but restores the service promptly and informs those affected.',
        'If the operator knows or should know that a user infringes the rights of others and fails to act, it is jointly liable as the law provides. Send notices of infringement through Contact or Feedback, with proof of identity, first evidence and the exact links.',
        'Reference prices, match scores and landed-cost estimates support decisions; the contract of the parties prevails.',
      ],
    },
    {
      id: 'change',
      title: '8. Changes and termination',
      blocks: [
        'Before changing these terms or the Platform Rules we ask for opinions in a prominent place on the home page and publish the change at least seven days before it takes effect. If you do not agree, you may stop using the platform and cancel your account; what happened before follows the old version.',
        'If you seriously violate these terms, the platform may limit functions or end the service, stating its reasons. You can appeal through Feedback.',
        'If the platform is to close, we announce it thirty days ahead and keep the export of data open.',
      ],
    },
    {
      id: 'law',
      title: '9. Law and disputes',
      blocks: [
        'The law of the People’s Republic of China applies. Disputes are settled by negotiation first, otherwise by the competent court at the operator’s domicile.',
        'In disputes between users the platform can, at the request of both, provide records and evidence packs.',
      ],
    },
  ],
}

const privacy: Reading = {
  title: 'Privacy policy',
  summary: 'Which personal information we collect and why, how long we keep it, who sees it, and your rights.',
  chapters: [
    {
      id: 'controller',
      title: '1. Who processes your information',
      blocks: [
        'The personal information processor is {company}, operator of {site}. You find our contact details on the Contact page and in the footer. We answer requests about personal information within fifteen working days.',
        'This policy follows the Personal Information Protection Law (PIPL) and the Regulation on Network Data Security. You consent to it separately from the terms of use.',
      ],
    },
    {
      id: 'collected',
      title: '2. What we collect and why',
      blocks: [
        'We collect only what the service you choose needs:',
        [
          'Registration and sign-in: mobile number, password (as an irreversible digest), time, IP address, device and browser. They confirm that it is you and reveal unusual sign-ins; the Cybersecurity Law requires sign-in logs.',
          'Certification: company name, credit code, legal representative, name and phone of the contact, business licence and other documents. They verify who you are.',
          'Photos of identity cards (of the representative or agent, for lessors): sensitive personal information. They serve to verify identity and authority only, and only reviewers see them. If you would rather not provide yours, the company can authorise another agent; without any, certification as a lessor is not possible, but public content stays open to you.',
          'Demands and quotes: name and phone of the contact, address of site or yard, so that both sides can reach each other.',
          'People added by an organisation: name, mobile number and department, given by the administrator to open an account.',
          'Feedback and contact requests: what you write, screenshots and contact details, in order to answer you.',
        ],
        'We collect no location, address book or album, build no profiles and show no advertising. Demands are recommended by category, parameters and place of your machines on the shelf; the demand library lists all public demands without recommendation.',
      ],
    },
    {
      id: 'shown',
      title: '3. Who sees it',
      blocks: [
        [
          'Contacts of a demand and of a lessor: signed-in and certified users only. Each view is recorded, with a daily limit for each account.',
          'Contacts of a quote: encrypted until the opening, when nobody can read them, the platform included; afterwards the lessee only.',
          'People of an organisation: administrators of the unit and of those above it; colleagues who pick a contact or name somebody for a contract see the names and numbers they may choose.',
          'Staff of the platform: by duty, with phone numbers masked by default (reviewers see those of an application), and every action in an audit log that cannot be altered.',
          'Public pages show companies and machines, never personal phone numbers or identity documents.',
        ],
      ],
    },
    {
      id: 'shared',
      title: '4. Entrusted processing and disclosure',
      blocks: [
        'An SMS provider sends codes and notices for us and receives the number and the text for this purpose; files may be stored with an entrusted cloud store. Both may only act on our instructions.',
        'We give your personal information to nobody else unless you consent separately or the law, a court or an authority requires it. It is stored in mainland China and not provided abroad.',
        'Our pages use no third-party analytics, advertising scripts or tracking cookies. Your browser stores the sign-in token and basic facts about you, an id of the device (to recognise your usual devices), language and display settings, filters, the comparison list, and what you typed but have not submitted (14 days at most). You can clear all of it at any time.',
      ],
    },
    {
      id: 'kept',
      title: '5. How long we keep it',
      blocks: [
        [
          'Sign-in records: about six months (183 days), then deleted automatically.',
          'Contact requests: about six months (183 days) after they were handled, then deleted automatically.',
          'Files that you uploaded and did not use: 90 days, then deleted automatically, except files in a draft of a demand and scans of a contract.',
          'SMS codes: valid for 5 minutes, records deleted after 48 hours; image codes end with their use.',
          'Account and certification: while the account exists. On cancellation we erase name, mobile number, identity documents, messages, favourites, saved searches and views, feedback and sign-in records; the licence of a company stays with the company.',
          'Demands, quotes and awards: at least three years after the deal is completed (Article 31 of the E-Commerce Law). After cancellation only the name of your organisation remains.',
          'Audit log and history of demands: permanently, as proof that records were not altered.',
          'Backups: rotated; what was erased disappears with the rotation.',
        ],
      ],
    },
    {
      id: 'security',
      title: '6. How we protect it',
      blocks: [
        [
          'Sealed quotes and their contacts are encrypted with a key of each demand.',
          'Passwords are digested with Argon2id; repeated failures lock for a while; a second factor is available, and required of administrators and staff.',
          'Pictures lose embedded data such as the place they were taken at; private files open only for authorised people who have signed in.',
          'If data is leaked, altered or lost, we act at once and notify you and the authorities as the law requires.',
        ],
      ],
    },
    {
      id: 'rights',
      title: '7. Your rights',
      blocks: [
        [
          'Access and copy: export everything about you (JSON and CSV) under Account security.',
          'Correct and complete: your display name under My profile, your number under Account security, your documents under Certification; your administrator changes your name.',
          'Delete and cancel: under Account security; erased after seven days.',
          'Withdraw consent: cancel the account, or turn SMS off under Subscriptions. What was done before remains lawful.',
          'Ask and complain: through Feedback or Contact. If our answer does not satisfy you, you may turn to the cyberspace authority or a court.',
        ],
      ],
    },
    {
      id: 'minors',
      title: '8. Minors',
      blocks: [
        'The platform is for businesses and the people who work for them, not for anybody under eighteen. Information collected by mistake is deleted.',
      ],
    },
    {
      id: 'change',
      title: '9. Changes of this policy',
      blocks: [
        'If purposes, means or kinds of processing change, we announce it at least seven days ahead and ask for your consent again.',
      ],
    },
  ],
}

const rules: Reading = {
  title: 'Platform rules',
  summary:
    'From publishing to the award: deadlines, sealing, questions, changes, awards, declining and restrictions. The same for everybody.',
  chapters: [
    {
      id: 'publish',
      title: '1. Publishing a demand',
      blocks: [
        [
          'Project departments and lessee organisations publish demands. Where the unit above requires approval, a demand becomes public once approved.',
          'The quote deadline is at least 24 hours after publication, 2 hours for urgent demands, and at most 60 days.',
          'Own machines first: if the group has a suitable idle machine, request it or say why it is not used.',
          'Only invited lessors can quote an invited demand.',
        ],
      ],
    },
    {
      id: 'quote',
      title: '2. Quoting',
      blocks: [
        [
          'Only lessors with a valid certification and no restriction can quote, and never a demand of their own company.',
          'A quote names real machines on the shelf that are not booked for the period.',
          'Documents must last until the machine leaves the site; where one expires earlier, the lessor pledges to renew it.',
          'A price above the ceiling needs a reason. A quote is valid for at least 15 days after the deadline.',
          'A lessor can submit and change at most 20 times, and ask at most 20 questions, for each demand.',
        ],
      ],
    },
    {
      id: 'sealed',
      title: '3. Sealing and opening',
      blocks: [
        'Prices, machines and contacts of all quotes are encrypted until the opening, and neither the lessee nor other lessors nor the platform can see them. Who has quoted is shown to nobody but the company itself before the opening. At the deadline all of them open together.',
        'If “sealed” is not ticked, the lessee may open before the deadline, but not within 24 hours of a change or an extension; no quotes are accepted afterwards. If it is ticked, there is no early opening.',
        'With fewer quotes than required, the lessee may extend the deadline, open with a reason, or close without an award; without a decision the quotes open after three days.',
        'Every quote has a receipt (SHA-256). After the opening both sides can verify in their own browsers that the quote matches its receipt and that the history is unaltered.',
      ],
    },
    {
      id: 'questions',
      title: '4. Questions and changes',
      blocks: [
        [
          'Questions and answers are visible to everybody, without the name of the asker. No questions after the clarification deadline.',
          'A demand cannot be changed in the last 24 hours before the deadline.',
          'A change of the terms asks those who quoted to confirm again and leaves at least 24 hours; quotes that are not confirmed by the opening lapse.',
          'A deadline can only move to a later time, and everybody who quoted is told why. A quote that ends less than 15 days after the new deadline must be changed, and lapses at the opening where it is not; other quotes are not affected.',
        ],
      ],
    },
    {
      id: 'award',
      title: '5. Award',
      blocks: [
        [
          'Awards are made line by line and may be partial. Passing over a cheaper offer or exceeding a ceiling needs a written reason.',
          'On submission the lessor, the machines, their documents and the validity are checked again; an offer that has changed cannot be chosen.',
          'Where the unit above requires approval, the award takes effect on approval. It books the machines, notifies everybody and is final.',
          'A winner may decline within 48 hours, unless they have accepted. Declining and its reason are kept in the history of the demand, the machines are released, and the rest can be published again.',
          'After the award a draft contract is made on the platform. The lessee completes and sends it, the lessor confirms it, and it is printed and sealed. The lessee sends it within 7 days of the award; the lessor confirms or returns it within 7 days of receiving it; with returns, 21 days from the award at most. The lessee may extend the time once, by up to 15 days; lessors whose contract had not been sent when it was extended, or is withdrawn by the lessee afterwards, may leave without being responsible. An award that is not contracted in time lapses: the machines are released, and it is recorded who is responsible.',
          'A lessee who closes without an award or cancels gives a reason, which everybody who quoted is told.',
          'A demand that is not decided within 30 days after the opening closes without an award. The lessee is reminded 3 days before, and everybody who quoted is told. An award that waits for approval holds it open.',
        ],
      ],
    },
    {
      id: 'machines',
      title: '6. Machines and documents',
      blocks: [
        [
          'A machine must pass review before it goes on the shelf; lessors of a grade that the platform trusts may list first and are reviewed afterwards. Changes of key facts are reviewed again; until then the old facts are shown.',
          'Reminders are sent 45 and 7 days before a document expires. An expired document takes the machine off the shelf until its renewal has been approved.',
          'Machines with the same brand and serial number count as duplicates and are checked by the platform.',
          'The platform may take down machines and demands that break the rules, stating the reason.',
        ],
      ],
    },
    {
      id: 'restriction',
      title: '7. Restriction list',
      blocks: [
        'A lessor who walks away from an award or a site, forges documents, causes a safety accident, colludes, or leaves subcontractors or wages unpaid can be proposed for restriction by a lessee or the platform. The subject first receives facts and evidence and has 7 days to answer; somebody other than the proposer decides.',
        'There are three levels (watched, restricted, barred), for three years at most; they end automatically. The subject can appeal once in 90 days. Only safety accidents and forged documents can be restricted at once, and the subject is still heard.',
        'A restriction affects new quotes, awards and contracts, and extensions and added positions of contracts in force; a platform-wide bar also takes the machines off the shelf. An entry about one machine affects that machine only; one about a person is a note and limits nobody. The performance, settlement and payment of contracts in force continue.',
      ],
    },
    {
      id: 'appeal',
      title: '8. Appeals and publicity',
      blocks: [
        'You can appeal against a review, a takedown or a lock through Feedback; we reply within one working day.',
        'Changes of the rules are published at least seven days ahead. Search and recommendation results are sorted by fit, distance, time or price. Ranking is not for sale.',
      ],
    },
  ],
}

export const agreements: Record<AgreementName, Reading> = { terms, privacy, rules }
