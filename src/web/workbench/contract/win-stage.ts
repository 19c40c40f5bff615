import { confirmedContracts } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { OwnQuote } from '#shared/quote/contract.ts'

type Win = Pick<OwnQuote, 'giveUpUntil'> & Pick<NonNullable<OwnQuote['won']>, 'acceptedAt' | 'contractDue' | 'contract'>

/**
 * What a win waits for: the lessor to accept it, while that makes the contract earlier than the clock does; the lessee to send the contract; the
 * lessor to check it; or nothing more, once it was confirmed.
 */
export function winStage({ giveUpUntil, acceptedAt, contractDue, contract }: Win, now: string): 'open' | 'waiting' | 'sent' | 'confirmed' {
  if (contract) return isAmong(contract.status, confirmedContracts) ? 'confirmed' : 'sent'
  return acceptedAt === null && contractDue !== null && giveUpUntil !== null && giveUpUntil > now ? 'open' : 'waiting'
}
