import { documentKinds, emissionStages } from '#shared/equipment/rules.ts'
import type { Miss } from '#shared/quote/contract.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { comma } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'

/** Words what keeps a machine from fitting: missing papers and emission stages by their names, taken days as periods, the rest as it was compared. */
export function missDetail(text: Text, { kind, detail, detailEn }: Miss): string {
  if (kind === 'papers') {
    const missing = detail.split(',')
    return documentKinds
      .filter((paper) => missing.includes(paper))
      .map((paper) => text.equipment.document[paper])
      .join(comma(text))
  }
  if (kind === 'taken')
    return detail
      .split(',')
      .map((period) => period.replace(/(.+)\/(.+)/, (_, from: string, to: string) => `${from} – ${text.list.endDay(to)}`))
      .join(comma(text))
  const stage = kind === 'emission' && emissionStages.find((one) => one === detail)
  return stage ? text.equipment.emission[stage] : nameIn(text, detail, detailEn ?? detail)
}
