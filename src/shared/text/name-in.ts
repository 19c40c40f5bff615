import type { RentUnit } from '../equipment/rules.ts'
import type { Text } from './zh-cn.ts'

/** Picks, of a value that exists in both languages, the one in the language of the text. */
export const nameIn = <T>({ locale }: Pick<Text, 'locale'>, chinese: T, english: T): T => (locale === 'zh-CN' ? chinese : english)

/** The unit of a quantity, as it follows the number: English has another word for one. */
export const unitFor = ({ equipment }: Pick<Text, 'equipment'>, quantity: number | string, unit: RentUnit): string =>
  equipment[Number(quantity) === 1 ? 'unitOne' : 'unitShort'][unit]
