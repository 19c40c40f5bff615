import { useWatch } from 'react-hook-form'
import { demandType as demandTypeOf } from '#shared/demand/rules.ts'
import { countMatching } from '#shared/quote/matching.ts'
import { call } from '../../app/api.ts'
import { useText } from '../../app/text.tsx'
import { useCategories } from '../../category/category-tree.ts'
import type { DemandFormState } from './draft.ts'
import { isComplete, matchedItem, useLookup } from '../internal/use-ceilings.ts'

/** How many lessors will be notified of the demand as it is typed now: those with a fitting machine, or the invited. */
export function MatchPreview({ form }: { form: DemandFormState }) {
  const words = useText().demand.form
  const categories = useCategories()
  const [demandType, deptId, items, invited] = useWatch({ control: form.control, name: ['demandType', 'deptId', 'items', 'invited'] })
  const isPublic = demandType === demandTypeOf.public
  const whole = items.filter(isComplete)
  const body = isPublic &&
    deptId !== null &&
    whole.length > 0 && {
      deptId,
      items: whole.map((item) => matchedItem(item, categories)),
    }
  const found = useLookup(countMatching, body, (asked) => call(countMatching, { body: asked }, true))
  if (!isPublic) return <span className="soft">{words.invitedCount(invited.length)}</span>
  if (!body || found.data === undefined) return null
  const { lessors } = found.data
  return <span className={lessors === 0 ? 'bar-error' : 'soft'}>{lessors === 0 ? words.matchNone : words.matchCount(lessors)}</span>
}
