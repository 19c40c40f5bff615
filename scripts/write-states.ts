// Writes docs/states.md from the tables of moves.
import { writeFileSync } from 'node:fs'
import { blacklistMoves } from '#shared/blacklist/rules.ts'
import { certificationMoves } from '#shared/certification/rules.ts'
import { changeMoves, contractMoves } from '#shared/contract/rules.ts'
import { demandMoves } from '#shared/demand/rules.ts'
import { equipmentMoves } from '#shared/equipment/rules.ts'
import { feedbackMoves } from '#shared/feedback/rules.ts'
import { transferMoves } from '#shared/internal/rules.ts'
import { diagram } from '#shared/lifecycle.ts'
import { quoteMoves } from '#shared/quote/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'

export function statePage(): string {
  const name = (english: Record<string, string>) => (status: string) => (english[status] ?? status).replace(/[^A-Za-z]+/g, '_')
  const legend = (english: Record<string, string>, chinese: Record<string, string>) =>
    Object.keys(english)
      .toSorted((a, b) => Number(a) - Number(b))
      .map((status) => `| ${status} | ${chinese[status]} | ${english[status]} |`)
      .join('\n')
  const section = (title: string, moves: Parameters<typeof diagram>[0], english: Record<string, string>, chinese: Record<string, string>) =>
    `## ${title}\n\n\`\`\`mermaid\n${diagram(moves, name(english))}\n\`\`\`\n\n| code | 中文 | English |\n|---|---|---|\n${legend(english, chinese)}\n`
  return `# States\n\nWritten by \`scripts/write-states.ts\` from the tables of moves; do not edit.\n\n${[
    section('Demand', demandMoves, en.demand.status, zhCn.demand.status),
    section('Quote', quoteMoves, en.quote.status, zhCn.quote.status),
    section('Contract', contractMoves, en.contract.status, zhCn.contract.status),
    section('Amendment', changeMoves, en.contract.changeStatus, zhCn.contract.changeStatus),
    section('Restriction list', blacklistMoves, en.blacklist.status, zhCn.blacklist.status),
    section('Equipment', equipmentMoves, en.equipment.audit, zhCn.equipment.audit),
    section('Certification', certificationMoves, en.certification.status, zhCn.certification.status),
    section('Feedback', feedbackMoves, en.personal.feedback.status, zhCn.personal.feedback.status),
    section('Transfer of an idle machine', transferMoves, en.internal.status, zhCn.internal.status),
  ].join('\n')}`
}

if (process.argv[1] === import.meta.filename) writeFileSync(new URL('../docs/states.md', import.meta.url), statePage())
