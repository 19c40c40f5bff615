import type { contractMessages as zhCnMessages } from '../zh-cn/contract-messages.ts'
import { contract } from './contract.ts'
import { counted } from './counted.ts'

/** Parts of a list, which messages carry with the comma of Chinese between them. */
const listed = (parts: string | undefined) => (parts ?? '').replaceAll('、', ', ')

/** Messages from before they said the kind of the amendment have none. */
function kindOf({ kind = '' }: Record<string, string>): string {
  const kinds: Record<string, string> = contract.changeKind
  const name = kinds[kind]
  return name ? ` (${name})` : ''
}

export const contractMessages: typeof zhCnMessages = {
  contractDrafted: {
    title: (p) => `Contract drafted: ${p.title}`,
    content: (p) =>
      `The contract ${p.code} with ${p.company} is drafted. Complete and send it${p.due ? ` by ${p.due}, or the award lapses` : ''}.`,
  },
  contractDue: {
    title: (p) => `Contract soon overdue: ${p.title}`,
    content: (p) =>
      `Contract ${p.code} with ${p.company} has not been sent. Send it by ${p.due}, or the award lapses${p.isBlameless ? '' : ' and the lessee is responsible'}.`,
  },
  contractDueMoved: {
    title: (p) => `More time to send the contract: ${p.title}`,
    content: (p) =>
      `The contracts of “${p.title}” (${p.code}) are now to be sent by ${p.due}: ${p.reason}. You may leave without being responsible from now on.`,
  },
  contractSubmitted: { title: (p) => `Contract to approve: ${p.title}`, content: (p) => `The contract ${p.code} waits for your approval.` },
  contractApproved: {
    title: (p) => `Contract approved: ${p.title}`,
    content: (p) => `The unit above approved the contract ${p.code}; it can be sent.`,
  },
  contractRejected: {
    title: (p) => `Contract returned by the unit above: ${p.title}`,
    content: (p) => `The unit above returned the contract ${p.code}: ${p.reason}. Correct it and submit it again.`,
  },
  contractToConfirm: {
    title: (p) => `Contract to confirm: ${p.title}`,
    content: (p) =>
      `${p.company} sent the contract ${p.code}. ${p.due ? `Confirm or return it by ${p.due}, or the award lapses.` : 'Confirm or return it.'}`,
  },
  contractRecalled: {
    title: (p) => `Contract withdrawn: ${p.title}`,
    content: (p) =>
      `${p.company} withdrew the contract ${p.code} and will send it again.${p.mayLeave ? ' The time to send it was extended, so you may leave without being responsible from now on.' : ''}`,
  },
  contractReturned: {
    title: (p) => `Contract returned: ${p.title}`,
    content: (p) =>
      `${p.company} returned the contract ${p.code}: ${p.reason}. Correct and send it again${p.due ? ` by ${p.due}, or the award lapses` : ''}.`,
  },
  contractInForce: {
    title: (p) => `Contract in force: ${p.title}`,
    content: (p) => `Both sides confirmed the contract ${p.code}; it is in force.${p.noScan ? '' : ' Print, seal and submit the scan.'}`,
  },
  contractVoided: {
    title: (p) => `Contract void: ${p.title}`,
    content: (p) =>
      p.reason ? `The contract ${p.code} was voided: ${p.reason}` : `The contract ${p.code} was not signed in time and is void.`,
  },
  contractPartyLocked: {
    title: (p) => `Other side locked: ${p.title}`,
    content: (p) =>
      `The platform has locked ${p.company}, so its people cannot sign in to act. ${p.sent ? `The contract ${p.code} waits for the lessor to confirm it and is not in force.` : `The contract ${p.code} goes on${p.until ? ` until its last day, ${p.until}` : ''}: the hire, the rent and what is owed stand.`}`,
  },
  contractPartyUnlocked: {
    title: (p) => `Other side unlocked: ${p.title}`,
    content: (p) => `${p.company} is unlocked; its people can sign in again and act in the contract ${p.code}.`,
  },
  contractPartyUncertified: {
    title: (p) => `Certification of the other side ended: ${p.title}`,
    content: (p) =>
      p.revoked
        ? `The certification of ${p.company} was revoked, so its people cannot act for now. The contract ${p.code} is not in force and cannot be confirmed now. Return it and say why; it can be sent again once they are certified again.${p.lapses ? ' If the award lapses because of this, your side is not responsible.' : ''}`
        : `The certification of ${p.company} ran out or was revoked, so its people cannot act for now. ${p.sent ? `The contract ${p.code} waits for the lessor to confirm it and is not in force.` : `The contract ${p.code} goes on${p.until ? ` until its last day, ${p.until}` : ''}: the hire, the rent and what is owed stand. Verify any new bank account that is about to take effect.`}`,
  },
  contractPartyCertified: {
    title: (p) => `Other side certified again: ${p.title}`,
    content: (p) =>
      `${p.company} is certified again; its people can act in the contract ${p.code}.${p.toConfirm ? ` It waits for you: confirm or return it${p.due ? ` by ${p.due}` : ''}.` : ''}`,
  },
  contractScanned: {
    title: (p) => `Scan to compare: ${p.title}`,
    content: (p) => `${p.company} submitted the sealed scan of the contract ${p.code}; compare it.`,
  },
  contractScanMatched: {
    title: (p) => `Scan found to be the same: ${p.title}`,
    content: (p) => `${p.company} has found the sealed scan of the contract ${p.code} to be the same as the confirmed text.`,
  },
  contractScanRefused: {
    title: (p) => `Scan differs: ${p.title}`,
    content: (p) => `${p.company} says that the scan of the contract ${p.code} differs: ${p.reason}`,
  },
  contractPersons: {
    title: (p) => `People named: ${p.title}`,
    content: (p) => `${p.company} named its people for the contract ${p.code}.`,
  },
  contractEnding: {
    title: (p) => `Hire ends in ${counted(p.days ?? '', 'day')}: ${p.title}`,
    content: (p) =>
      `Of the contract ${p.code}, ${p.more ? `${p.more} positions, ${listed(p.positions)} among them, are` : /^\d+$/.test(p.positions ?? '') ? `position ${p.positions} is` : `positions ${listed(p.positions)} are`} hired until the day before ${p.day}. Extend the hire before then, or plan the exit.`,
  },
  contractOwnPersons: {
    title: (p) => `Signers of your side changed: ${p.title}`,
    content: (p) =>
      `${p.who} changed who signs the contract ${p.code} for your side. Now: ${listed(p.signers) || 'nobody is named, so everybody with the permission signs'}. If that is wrong, an administrator corrects it under “People and files”.`,
  },
  contractNotice: {
    title: (p) => `Notice of termination: ${p.title}`,
    content: (p) =>
      `${p.company} gives notice that it ends the contract ${p.code}: ${p.reason}. The notice alone changes nothing; agree on an end, or go by the contract.`,
  },
  contractChangeAsked: {
    title: (p) => `Amendment to confirm: ${p.title}`,
    content: (p) =>
      `${p.company} proposes the amendment ${p.change}${kindOf(p)} of the contract ${p.code}: ${p.reason}. Confirm or refuse it${p.by ? ` by ${p.by}` : ''}.`,
  },
  contractChangeDone: {
    title: (p) => `Amendment in force: ${p.title}`,
    content: (p) =>
      `Both sides confirmed the amendment ${p.change}${kindOf(p)} of the contract ${p.code}.${p.day ? ` The contract ends early; its last day is ${p.day}.` : ''}`,
  },
  contractChangeRefused: {
    title: (p) => `Amendment refused: ${p.title}`,
    content: (p) => `${p.company} refused the amendment ${p.change} of the contract ${p.code}: ${p.reason}`,
  },
  contractChangeRecalled: {
    title: (p) => `Amendment withdrawn: ${p.title}`,
    content: (p) => `${p.company} withdrew the amendment ${p.change} of the contract ${p.code}.`,
  },
  contractChangeSubmitted: {
    title: (p) => `Amendment to approve: ${p.title}`,
    content: (p) => `The amendment ${p.change} of the contract ${p.code} waits for your approval.`,
  },
  contractChangeApproved: {
    title: (p) => `Amendment approved: ${p.title}`,
    content: (p) =>
      `The unit above approved the amendment ${p.change} of the contract ${p.code}; ${p.sent ? 'the lessor has it now' : 'it can be confirmed'}.`,
  },
  contractChangeRejected: {
    title: (p) => `Amendment not approved: ${p.title}`,
    content: (p) => `The unit above did not approve the amendment ${p.change} of the contract ${p.code}: ${p.reason}`,
  },
  contractChangeApprovalOff: {
    title: (p) => `Amendment needs no approval any more: ${p.title}`,
    content: (p) =>
      `No unit above approves contracts any more, so the amendment ${p.change} of the contract ${p.code} came back. Please propose it again; it goes to the other side at once.`,
  },
  contractChangeApprovalLate: {
    title: (p) => `Amendment not approved in time, withdrawn: ${p.title}`,
    content: (p) =>
      `The effective date of the amendment ${p.change} of the contract ${p.code} passed more than 7 days ago without the approval of the unit above, so it was withdrawn. If it is still needed, propose it anew.`,
  },
  contractAccountAsked: {
    title: (p) => `Another bank account proposed: ${p.title}`,
    content: (p) =>
      `${p.company} asks to be paid to another account for the contract ${p.code} (${p.change}): ${p.reason}. Call them on a number that you knew before, then confirm or refuse; it takes effect 24 hours after you confirm.`,
  },
  contractAccountChanged: {
    title: (p) => `Bank account to change: ${p.title}`,
    content: (p) =>
      `Your side confirmed another bank account for the contract ${p.code} (${p.change}, ${p.company}); it takes effect ${p.moment ? `at ${p.moment}` : 'in 24 hours'}. If that was not your side, stop it under “Amendments” of the contract before then, and call them and the platform.`,
  },
  contractAccountHolds: {
    title: (p) => `Bank account changed: ${p.title}`,
    content: (p) => `The new bank account of the contract ${p.code} (${p.change}) is in effect from now on. Check it again before you pay.`,
  },
  contractOwnAccountAsked: {
    title: (p) => `Your side proposed another bank account: ${p.title}`,
    content: (p) =>
      `Your side asks to be paid to another account for the contract ${p.code} (${p.change}): ${p.reason}. If that was not your side, withdraw it under “Amendments” of the contract and change your passwords.`,
  },
  contractOwnAccountChanged: {
    title: (p) => `Your bank account is to change: ${p.title}`,
    content: (p) =>
      `The other side confirmed another account for the contract ${p.code} (${p.change}); it takes effect at ${p.moment}. If that was not your side, stop it under “Amendments” of the contract before then, and call the platform.`,
  },
  contractOwnAccountHolds: {
    title: (p) => `Your bank account changed: ${p.title}`,
    content: (p) =>
      `The rent of the contract ${p.code} is paid to the new account from now on (${p.change}). If that was not your side, call the other side and the platform at once.`,
  },
  contractAccountStopped: {
    title: (p) => `Bank account not changed: ${p.title}`,
    content: (p) =>
      `${p.company} stopped the new bank account of the contract ${p.code} (${p.change}): ${p.reason}. The account stays as it is.`,
  },
}
