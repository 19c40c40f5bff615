import type { Text } from '../zh-cn.ts'
import { contractMessages } from './contract-messages.ts'
import { counted } from './counted.ts'

type Words = Record<string, string>

/** Messages of earlier versions name a machine in Chinese only. */
const machineOf = (p: Words): string => p.machineEn ?? p.machine ?? ''
/** The machine or the person that an entry of the restriction list is about, undefined where that is the company itself. */
const subjectOf = (p: Words): string | undefined =>
  ({ machine: `Your machine ${p.subjectEn ?? p.subject}`, person: `${p.subject} of your company` })[p.subjectKind ?? '']

export const messages: Text['messages'] = {
  certificationPassed: {
    title: () => 'Certification approved',
    content: (p) => `${p.company} is certified. All functions are now available.`,
  },
  certificationRejected: {
    title: (p) => (p.change ? 'Change of certification sent back' : 'Certification sent back'),
    content: (p) =>
      p.change
        ? `The change of ${p.company} was sent back: ${p.reason}. The certification stays in force and what you entered for this change is lost; to change it, start again.`
        : `The certification of ${p.company} was sent back: ${p.reason}. Correct the marked items and submit again.`,
  },
  certificationRevoked: {
    title: () => 'Certification revoked',
    content: (p) => `The certification of ${p.company} was revoked: ${p.reason}`,
  },
  certificationLeft: {
    title: () => 'Project certification ended',
    content: (p) => `You were moved to ${p.dept}, so the project certification of ${p.company} ended.`,
  },
  certificationTakenBack: {
    title: () => 'Application withdrawn',
    content: (p) => `You were moved to ${p.dept}, so the application of ${p.company} that was in review was withdrawn.`,
  },
  certificationExpired: {
    title: () => 'Certification expired',
    content: (p) =>
      p.stays
        ? `The documents that you submitted for ${p.company} expired on ${p.day}. The company stays certified by a colleague; ${p.waits ? 'the renewal that you submitted is still in review' : 'you may renew yours and submit again'}.`
        : `Documents of ${p.company} expired on ${p.day} and the certification has ended. ${p.waits ? 'What you submitted is still in review and restores it once approved.' : 'Please renew them and submit again.'} Your contracts go on.`,
  },
  certificationWaiting: {
    title: () => 'New certification to review',
    content: (p) => `${p.company} submitted an application${p.kindEn ? ` (${p.kindEn})` : ''}. Please review it.`,
  },
  certificationExpiring: {
    title: () => 'A document is about to expire',
    content: (p) =>
      `${p.paperEn ?? 'A document'} of ${p.company} expires on ${p.day}, ${p.days === '0' ? 'today' : `in ${counted(p.days ?? '', 'day')}`}. Please renew it in time to stay certified.`,
  },
  passwordChanged: {
    title: () => 'Password changed',
    content: (p) => `Your password was changed at ${p.time}. If this was not you, reset it immediately.`,
  },
  bidderPasswordReset: {
    title: (p) => `The platform reset the password of ${p.userName}`,
    content: (p) =>
      `At ${p.time} the platform reset the password of your account ${p.userName} while ${counted(p.count ?? 0, 'quote')} of yours ${Number(p.count) === 1 ? 'was' : 'were'} sealed. This is recorded in the history of each demand. If your company did not request it, contact us immediately and check your quotes.`,
  },
  personJoined: {
    title: (p) => `${p.name} has joined your company`,
    content: (p) =>
      `At ${p.time} the platform passed the certification of ${p.name} (${p.userName}), whose account now belongs to your company and sees its ${p.lessor ? 'machines, quotes' : 'demands'} and contracts. ${p.lessor ? 'Where quotes of yours were sealed, this is recorded in the history of each demand. ' : ''}If they do not work for you, contact us immediately.`,
  },
  phoneChanged: {
    title: () => 'Mobile number changed',
    content: (p) => `Your mobile number is now ${p.phone}. If this was not you, contact us.`,
  },
  personAdded: {
    title: (p) => `${p.by} added ${p.admin ? 'the administrator' : 'the person'} ${p.name}`,
    content: (p) =>
      `At ${p.time} the administrator ${p.by} added ${p.admin ? 'the administrator' : 'the person'} ${p.name} (${p.userName}) with the mobile number ${p.phone}. It receives no codes to sign contracts for 24 hours. If in doubt, ask the person.`,
  },
  personAdmin: {
    title: (p) => (p.admin ? `${p.by} made ${p.name} an administrator` : `${p.by} took the administrator right from ${p.name}`),
    content: (p) =>
      `At ${p.time} the administrator ${p.by} ${p.admin ? `made ${p.name} (${p.userName}) an administrator` : `took the administrator right from ${p.name} (${p.userName})`}. If in doubt, ask the person.`,
  },
  personPhoneChanged: {
    title: (p) => `${p.by} changed the mobile number of ${p.name}`,
    content: (p) =>
      `At ${p.time} the administrator ${p.by} changed the mobile number of ${p.name} (${p.userName}) to ${p.phone}. It receives no codes to sign contracts for 24 hours. If in doubt, ask the person.`,
  },
  personPasswordReset: {
    title: (p) => `${p.by} reset the password of ${p.name}`,
    content: (p) => `At ${p.time} the administrator ${p.by} reset the password of ${p.name} (${p.userName}). If in doubt, ask the person.`,
  },
  passwordGuessed: {
    title: () => 'Repeated wrong passwords for your account',
    content: (p) =>
      `At ${p.time}, from ${p.address}. Password sign-in from there is blocked for 10 minutes. Your known devices and SMS codes still work. If this was not you, choose a password that is hard to guess.`,
  },
  newDevice: {
    title: () => 'Sign-in on a new device',
    content: (p) => `At ${p.time}, from ${p.address}. If this was not you, sign that device out and change your password.`,
  },
  secondFactorOn: {
    title: () => 'Second factor turned on. Not you? Contact us',
    content: () =>
      'Signing in now also requires a code from your authenticator app. Your other devices have been signed out. If this was not you, contact us immediately.',
  },
  secondFactorOff: {
    title: () => 'Second factor turned off',
    content: () =>
      'Your password or an SMS code alone is now enough to sign in. If this was not you, change your password immediately and contact us.',
  },
  cancellationWithdrawn: {
    title: () => 'Cancellation withdrawn',
    content: () => 'You signed in during the cooling-off period, so your request was withdrawn automatically.',
  },
  cancellationStopped: {
    title: () => 'Cancellation needs attention',
    content: () => 'Open matters came up during the cooling-off period. The platform will handle your request.',
  },
  cancellationRefused: { title: () => 'Cancellation rejected', content: (p) => `Your account was not cancelled: ${p.reason}` },
  feedbackAnswered: { title: (p) => `Reply to: ${p.title}`, content: (p) => p.content ?? '' },
  savedSearchHit: { title: (p) => `New in “${p.name}”`, content: (p) => `Your saved search has new results: ${p.count}.` },
  demandMatched: {
    title: (p) => `New demand: ${p.title}`,
    content: (p) =>
      `${p.placeEn ?? p.place}, ${p.linesEn ?? p.lines}, quotes until ${p.deadline}. Suitable machines of yours: ${p.machines}.`,
  },
  demandInvited: {
    title: (p) => `Invitation to quote: ${p.title}`,
    content: (p) => `${p.company} invites you to quote: ${p.linesEn ?? p.lines}, until ${p.deadline}.`,
  },
  demandUninvited: {
    title: (p) => `No longer invited: ${p.title}`,
    content: (p) =>
      `${p.company} changed the invitations for ${p.code} and your company is no longer invited: ${p.reason}. A submitted quote remains valid; you can confirm or withdraw it, but once withdrawn, your company cannot quote again.`,
  },
  quoteReceived: {
    title: (p) => `Quote received: ${p.title}`,
    content: (p) =>
      `${p.code} has ${counted(p.count ?? '', 'quote')} so far. Prices ${p.sealed === '1' ? 'are sealed and open automatically at the deadline' : 'open at the deadline'}.`,
  },
  quoteWithdrawn: {
    title: (p) => `Quote withdrawn: ${p.title}`,
    content: (p) => `A quote for ${p.code} was withdrawn. Remaining quotes: ${p.count}.`,
  },
  demandOpened: {
    title: (p) => `Opened: ${p.title}`,
    content: (p) =>
      p.count === '0'
        ? `${p.code} was opened without a valid quote. Close it without an award or cancel it, then publish again with other terms.`
        : `All quotes for ${p.code} are open (${p.count}). Compare and award within ${counted(p.days ?? '', 'day')}, or it closes without an award.`,
  },
  quoteOpened: {
    title: (p) => `Quotes opened: ${p.title}`,
    content: (p) => `The quotes for ${p.code} have been opened and are under evaluation.`,
  },
  quoteWon: {
    title: (p) => `Won: ${p.title}`,
    content: (p) =>
      `Your quote ${p.code} won: ${p.linesEn ?? p.lines}. The machines are booked; please accept the win and wait for the lessee to send the contract.`,
  },
  quoteLost: {
    title: (p) => `Not chosen: ${p.title}`,
    content: (p) =>
      `Your quote ${p.code} was not chosen. Reason: ${({ price: 'price', spec: 'specification', time: 'dates', papers: 'documents', rating: 'rating' } as Words)[p.reason ?? ''] ?? 'other'}.`,
  },
  demandSubmitted: {
    title: (p) => `Demand awaiting approval: ${p.title}`,
    content: (p) => `${p.project} submitted ${p.code}; please review it before it is published.`,
  },
  demandPublished: { title: (p) => `Demand published: ${p.title}`, content: (p) => `${p.unit} published ${p.code} for your project.` },
  demandApproved: {
    title: (p) => `Demand approved: ${p.title}`,
    content: (p) =>
      `${p.code} is published${p.deadline ? `; its quote deadline is now ${p.deadline}` : ''}${p.clarifyAtDeadline ? '; questions are taken until the quote deadline' : ''}; ${p.invited ? 'invited' : 'suitable'} lessors are being notified.`,
  },
  demandRejected: {
    title: (p) => `Demand sent back: ${p.title}`,
    content: (p) => `${p.code} was not approved: ${p.reason}. Edit and submit it again.`,
  },
  demandApprovalOff: {
    title: (p) => `Demand needs no approval any more: ${p.title}`,
    content: (p) => `No unit above approves demands any more, so ${p.code}, which you submitted, came back. Please publish it yourselves.`,
  },
  awardSubmitted: {
    title: (p) => `Award awaiting approval: ${p.title}`,
    content: (p) => `${p.project} submitted the award of ${p.code}. Please decide.`,
  },
  demandAwarded: {
    title: (p) => `Awarded: ${p.title}`,
    content: (p) => `${p.unit} awarded ${p.code}. The machines are booked and all lessors have been notified.`,
  },
  awardApproved: {
    title: (p) => `Award approved: ${p.title}`,
    content: (p) => `The award of ${p.code} was approved. The machines are booked and all lessors have been notified.`,
  },
  awardRejected: {
    title: (p) => `Award sent back: ${p.title}`,
    content: (p) => `The award of ${p.code} was sent back: ${p.reason}. Choose again and submit.`,
  },
  awardApprovalOff: {
    title: (p) => `Award needs no approval any more: ${p.title}`,
    content: (p) =>
      `No unit above approves awards any more, so the award that you submitted for ${p.code} came back. Please award it yourselves.`,
  },
  demandShort: {
    title: (p) => `Too few quotes: ${p.title}`,
    content: (p) =>
      `${p.code} has reached its deadline with ${Number(p.count) < Number(p.min) ? `${p.count} of at least ${counted(p.min ?? '', 'quote')}` : `${counted(p.count ?? '', 'quote')}, too few of them confirmed after a change (at least ${p.min} asked for)`}. Extend it, open with a reason or close without an award; after 3 days the quotes open automatically.`,
  },
  demandExtended: {
    title: (p) => `Deadline extended: ${p.title}`,
    content: (p) =>
      `The quote deadline of ${p.code} is now ${p.deadline}. Reason: ${p.reason}${p.validUntil ? `. Quotes must be valid until ${p.validUntil} at least; change yours if it ends earlier, otherwise it lapses` : ''}`,
  },
  demandAmended: {
    title: (p) => `Demand changed, please confirm your quote: ${p.title}`,
    content: (p) =>
      `${p.code} was changed: ${p.reason}. Confirm or change your quote soon: one that is not confirmed by the opening lapses. The quote deadline is ${p.deadline}, and an unsealed demand may open early.`,
  },
  demandCorrected: {
    title: (p) => `Demand corrected: ${p.title}`,
    content: (p) =>
      `${p.code} was corrected: ${p.reason}. ${p.validUntil ? `The quote deadline is ${p.deadline}; change your quote if it ends before ${p.validUntil}. Other quotes are not affected.` : 'This correction does not affect submitted quotes.'}`,
  },
  demandChanged: {
    title: (p) => `Demand changed: ${p.title}`,
    content: (p) =>
      `${p.unit ? `${p.unit} changed ${p.code}` : `${p.code} was changed`}: ${p.reason}. The quote deadline is ${p.deadline}.`,
  },
  quoteGivenUp: {
    title: (p) => `Award declined: ${p.title}`,
    content: (p) => `A winner of ${p.code} declined: ${p.reason}. The machines have been released; you can publish the rest again.`,
  },
  quoteLapsed: {
    title: (p) => `Quote lapsed: ${p.title}`,
    content: (p) => `Your quote ${p.code} was not confirmed after the demand changed or was extended, and lapsed at the opening.`,
  },
  questionAsked: { title: (p) => `New question: ${p.title}`, content: (p) => `${p.code}: ${p.content}` },
  questionAnswered: { title: (p) => `Answer: ${p.title}`, content: (p) => `${p.code}: ${p.content}` },
  demandCancelled: { title: (p) => `Demand cancelled: ${p.title}`, content: (p) => `${p.code} was cancelled: ${p.reason}` },
  demandTakenDown: {
    title: (p) => `Demand taken down: ${p.title}`,
    content: (p) => `The platform took down ${p.code}: ${p.reason}. All its quotes are void.`,
  },
  demandFailed: { title: (p) => `No award: ${p.title}`, content: (p) => `${p.code} closed without an award: ${p.reason}` },
  decisionDue: { title: (p) => `Award due: ${p.title}`, content: (p) => `Decide ${p.code} by ${p.until}, or it closes without an award.` },
  demandUndecided: {
    title: (p) => `No award: ${p.title}`,
    content: (p) =>
      `${p.code} was not decided within ${counted(p.days ?? '', 'day')} of the opening and closed without an award. All its quotes have lapsed.`,
  },
  equipmentPassed: {
    title: (p) => `Machine approved: ${machineOf(p)}`,
    content: (p) =>
      p.change
        ? `The change of ${machineOf(p)} was approved.`
        : p.onShelf
          ? `${machineOf(p)} was approved and is on the shelf.`
          : `${machineOf(p)} was approved but is not on the shelf because of its documents or your certification; put it on the shelf once that is settled.`,
  },
  equipmentRejected: {
    title: (p) => `${p.change ? 'Change' : 'Machine'} sent back: ${machineOf(p)}`,
    content: (p) =>
      p.change
        ? `The change of ${machineOf(p)} was sent back: ${p.reason}. The previous facts stay; correct the change and submit it again.`
        : `${machineOf(p)} was sent back: ${p.reason}. Correct it and submit it again.`,
  },
  equipmentTakenDown: {
    title: (p) => `Machine taken down: ${machineOf(p)}`,
    content: (p) =>
      `The platform took down ${machineOf(p)}: ${p.reason}. If you object or have corrected it, ask through Feedback to have it lifted.`,
  },
  equipmentRestored: { title: (p) => `Takedown lifted: ${machineOf(p)}`, content: (p) => `${machineOf(p)} can be put on the shelf again.` },
  equipmentOff: {
    title: (p) => (p.count ? `${counted(p.count, 'machine')} off the shelf` : `Off the shelf: ${machineOf(p)}`),
    content: (p) =>
      p.count
        ? `Documents of ${counted(p.count, 'machine')}, ${machineOf(p)} among them, have expired, so they were taken off the shelf. Renew the documents; once the changes are approved you can put the machines back on the shelf.`
        : `A document of ${machineOf(p)} has expired and the machine was taken off the shelf. Renew the document; once the change is approved you can put it back on the shelf.`,
  },
  machinesToConfirm: {
    title: (p) => `${counted(p.count ?? '', 'machine')} to confirm`,
    content: (p) =>
      `Nobody has confirmed these machines for more than ${counted(p.days ?? '', 'day')}. Select them under My machines and press “Confirm details”; after ${counted(p.limit ?? '', 'day')} a machine leaves the shelf.`,
  },
  machineUnconfirmed: {
    title: (p) => (p.count ? `${counted(p.count, 'machine')} off the shelf` : `Off the shelf: ${machineOf(p)}`),
    content: (p) =>
      p.count
        ? `Nobody confirmed ${counted(p.count, 'machine')}, ${machineOf(p)} among them, for ${counted(p.limit ?? '', 'day')}, so they left the shelf. Putting them back confirms them.`
        : `Nobody confirmed ${machineOf(p)} for ${counted(p.limit ?? '', 'day')}, so it left the shelf. Putting it back confirms it.`,
  },
  blacklistNotified: {
    title: (p) => `Proposed restriction ${p.code}`,
    content: (p) =>
      `${subjectOf(p) ?? 'Your company'} has been proposed for the restriction list. You can view the facts and evidence; please respond before ${p.until}${p.emergency ? '' : '; after that it can be decided without you'}.`,
  },
  blacklistProposed: {
    title: (p) => `Restriction to decide: ${p.company}`,
    content: (p) => `The subject of ${p.code} has been notified. Please decide after the response or once the time to respond has passed.`,
  },
  blacklistAnswered: {
    title: (p) => `Response received: ${p.company}`,
    content: (p) => `The subject responded to ${p.code}. It can now be decided.`,
  },
  blacklistInForce: {
    title: (p) => `Restriction in force: ${p.code}`,
    content: (p) =>
      `${subjectOf(p) ? `${subjectOf(p)}: ` : ''}${p.scopeEn ? `${p.levelEn}, ${p.scopeEn}: from` : 'From'} ${p.from} until the day before ${p.to}. The performance, settlement and payment of contracts in force continue. You can appeal in the entry.`,
  },
  blacklistDropped: { title: (p) => `Not restricted: ${p.code}`, content: () => 'The entry was dismissed and does not affect you.' },
  blacklistAppealed: {
    title: (p) => `Appeal received: ${p.company}`,
    content: (p) => `The subject of ${p.code} has appealed. Please review it.`,
  },
  blacklistKept: { title: (p) => `Appeal rejected: ${p.code}`, content: (p) => `Reason: ${p.note}` },
  blacklistLifted: { title: (p) => `Restriction lifted: ${p.code}`, content: (p) => `Note: ${p.note}` },
  blacklistExpired: { title: (p) => `Restriction expired: ${p.code}`, content: () => 'The restriction period has ended.' },
  transferAsked: {
    title: (p) => `Transfer requested: ${machineOf(p)}`,
    content: (p) => `${p.code} requests the transfer of ${machineOf(p)}. Please confirm.`,
  },
  transferMoved: {
    title: (p) => `Transfer ${p.code}`,
    content: (p) =>
      `${p.code}: ${{ '1': 'release agreed, please confirm receipt', '2': 'completed', '3': 'rejected', '4': 'withdrawn' }[p.status ?? ''] ?? ''}.`,
  },
  paperExpiring: {
    title: (p) => (p.count ? `${counted(p.count, 'document')} of machines expiring` : `Document expiring: ${machineOf(p)}`),
    content: (p) =>
      p.count
        ? `${counted(p.count, 'document')} of your machines will expire, the first on ${p.day}: ${p.paperEn} of ${machineOf(p)}. Renew them in time and submit the changes for review; on expiry a machine leaves the shelf.`
        : `${p.paperEn ?? 'A document'} of ${machineOf(p)} expires on ${p.day}. Renew it in time and submit the change for review; on expiry the machine leaves the shelf.`,
  },
  awardAccepted: {
    title: (p) => `${p.company} has accepted the award`,
    content: (p) => `${p.company} accepted the award of “${p.title}” (${p.code}); the draft of the contract follows.`,
  },
  awardLapsed: {
    title: (p) => `Award lapsed: ${p.title}`,
    content: (p) =>
      `${p.reason ? `The part of ${p.company} in “${p.title}” (${p.code}) ends without a contract: ${p.reason}.` : `No contract was made in time for the part of ${p.company} in “${p.title}” (${p.code}).`} The machines are free again. Responsible: ${p.blameEn}.`,
  },
  ...contractMessages,
  jobItemSetAside: {
    title: (p) => `Job items set aside: ${p.count}`,
    content: (p) =>
      `Job “${p.jobEn}”: ${counted(p.count ?? 0, 'repeatedly failing item')} ${Number(p.count) === 1 ? 'was' : 'were'} set aside. Other items are not affected. See the cause under “Jobs” and retry. Last error: ${p.error}`,
  },
  announcement: { title: (p) => p.title ?? '', content: (p) => p.content ?? '' },
}
