import { nameIn } from './name-in.ts'
import { comma } from './punctuation.ts'
import type { Text } from './zh-cn.ts'

const maxTitle = 60

type TitledLine = { name: string; nameEn: string; alias: readonly string[]; qty: number | string }

/** The title of a demand or a contract from its project and what it hires of each category, as the trade calls it. */
export function titleOfLines(project: string, lines: readonly TitledLine[], text: Text): string {
  const parts = lines.map(({ name, nameEn, alias, qty }) =>
    text.locale === 'zh-CN' ? `${alias[0] ?? name}${qty}${text.site.common.units.machine(qty)}` : `${nameIn(text, name, nameEn)} ×${qty}`,
  )
  return `${project} ${parts.join(comma(text))}`.trim().slice(0, maxTitle)
}
