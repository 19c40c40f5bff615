import { machineNameEn } from './equipment/name.ts'
import { nameIn } from './text/name-in.ts'
import { semicolon } from './text/punctuation.ts'
import type { Text } from './text/zh-cn.ts'

type Offered = Parameters<typeof machineNameEn>[0] & { qty: number }

/** The machines of an offer as one line, with the number of units of a lot. */
export const machinesText = (text: Pick<Text, 'locale'>, machines: readonly Offered[]): string =>
  machines
    .map((machine) => nameIn(text, machine.name, machineNameEn(machine)) + (machine.qty > 1 ? ` ×${machine.qty}` : ''))
    .join(semicolon(text))
