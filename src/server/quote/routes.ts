import { amendDemand, extendDemand } from '#shared/demand/moves.ts'
import * as contract from '#shared/quote/contract.ts'
import { countMatching } from '#shared/quote/matching.ts'
import { companyOf } from '../actor/scope.ts'
import type { Api } from '../api.ts'
import { compareQuotes, comparisonAnswer, withoutContacts, withoutHiddenCeilings } from './compare.ts'
import * as change from './demand-change.ts'
import { countMatchingCompanies, listDemandsForLessor } from './market.ts'
import * as moves from './moves.ts'
import * as quotes from './queries.ts'

export function quoteRoutes(api: Api): void {
  api.handle(amendDemand, (deed, { body }) => change.amendDemand(deed, body))
  api.handle(extendDemand, (deed, { params, body }) => change.extendDemand(deed, { ...params, ...body }))

  api.handle(contract.listDemandsForLessor, ({ db, actor, now }, { query }) =>
    listDemandsForLessor(db, { companyId: companyOf(actor), now }, query),
  )
  api.handle(countMatching, (deed, { body }) => countMatchingCompanies(deed, body))
  api.handle(contract.getDemandForLessor, (context, { params }) => quotes.getDemandForLessor(context, params.id))

  api.handle(contract.submitQuote, (deed, { body }) => moves.submitQuote(deed, body))
  api.handle(contract.changeQuote, (deed, { body }) => moves.changeQuote(deed, body))
  api.handle(contract.withdrawQuote, (deed, { params }) => moves.withdrawQuote(deed, params.id))
  api.handle(contract.confirmQuote, (deed, { params, body }) => moves.confirmQuote(deed, { ...params, ...body }))

  api.handle(contract.compareQuotes, async ({ db, actor, now }, { params }) => {
    const demand = await quotes.getOpenedDemand(db, actor, params.demandId)
    const compared = await compareQuotes(db, params.demandId, now)
    return comparisonAnswer(actor.role === 'operator' ? withoutContacts(withoutHiddenCeilings(compared, demand)) : compared)
  })
  api.handle(contract.listReceived, ({ db, actor }, { query }) => quotes.listReceived(db, actor, query))
}
