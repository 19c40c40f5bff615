import { createElement as h, type ReactNode } from 'react'
import { amountText } from '#shared/amount-text.ts'
import { toMoment } from '#shared/calendar.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { brokenLink, receiptFits } from '#shared/opening/chain.ts'
import { machinesText } from '#shared/machines-text.ts'
import { feesFen } from '#shared/quote/prices.ts'
import { termsOfLine } from '#shared/quote/line-terms.ts'
import { semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { DemandEvidence } from './evidence.ts'
import { facts, packPage, section, table, tableOrNone, type Row } from './pack-page.ts'

type Shown = DemandEvidence & { attached: readonly string[] }

/** Renders the readable page of the evidence pack. */
export function evidencePage(evidence: Shown, { text, site, now }: { text: Text; site: string; now: Date }): string {
  const { demand, chain, code } = evidence
  const words = text.admin.evidence
  return packPage({
    lang: text.locale,
    title: `${code} ${words.title}`,
    head: [h('h1', null, `${words.title}: ${demand.title}`), h('p', null, words.made(site, toMoment(now)))],
    check: words.check,
    verdict: { good: words.good(chain.links.length), bad: words.bad, unable: words.unable },
    body: [...demandSections(evidence, text), ...offerSections(evidence, text), ...recordSections(evidence, text)],
    data: chain,
    script: `(${showVerdict.toString()})(${brokenLink.toString()}, ${receiptFits.toString()})`,
  })
}

/** The demand with its lines, the idle machines of the group, and the questions of lessors. */
function demandSections({ demand, items, questions, code }: Shown, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const { yes, no, status } = text.site.common
  return [
    section(
      words.demand,
      facts([
        [text.demand.code, code],
        [status, text.demand.status[demand.status]],
        [text.demand.typeLabel, text.demand.type[demand.demandType]],
        [text.demand.methodLabel, text.demand.method[demand.method]],
        ...(demand.methodReason ? [[text.demand.methodReason, demand.methodReason] as const] : []),
        [words.company, demand.companyName],
        [text.demand.project, demand.projectName],
        [text.demand.place, `${nameIn(text, demand.regionName, demand.regionNameEn)} ${demand.address}`],
        [text.demand.publishedAt, demand.publishTime],
        [text.demand.deadline, demand.quoteDeadline],
        [words.openTime, demand.openTime],
        [words.revision, demand.revision],
        [text.demand.minQuotes, demand.minQuotes],
        [text.demand.terms, demand.terms],
      ]),
      table(
        ['#', text.demand.lines, text.demand.qty, text.demand.period, text.demand.unit],
        items.map((item) => [
          item.lineNo,
          nameIn(text, item.categoryName, item.categoryNameEn),
          item.qty,
          `${item.planStart} – ${text.list.endDay(item.planEnd)}`,
          text.equipment.unit[item.rentUnit],
        ]),
      ),
    ),
    section(
      words.internal,
      tableOrNone(
        text.admin.evidence.none,
        words.internalHead,
        demand.internalCheck.map(({ name, nameEn = name, deptName, take, reason }) => [
          nameIn(text, name, nameEn),
          deptName,
          take ? yes : no,
          reason,
        ]),
      ),
    ),
    section(
      words.questions,
      tableOrNone(
        text.admin.evidence.none,
        words.questionHead,
        questions.map((one) => [one.askTime, one.content, one.answer, one.answerTime]),
      ),
    ),
  ]
}

/** Every quote with its landed cost, and the award. */
function offerSections({ items, compared: { assumptions, quotes, award } }: Shown, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const lineNo = new Map(items.map((item) => [item.id, item.lineNo]))
  const quoteCodes = new Map(quotes.flatMap((quote) => quote.lines.map((line) => [line.id, quote.quoteCode] as const)))
  const offers = quotes.flatMap((quote) =>
    quote.lines.map((line): Row => [
      quote.companyName,
      quote.quoteCode,
      lineNo.get(line.demandItemId),
      machinesText(text, line.machines),
      line.qty,
      `${amountText(line.unitPriceFen)} / ${text.equipment.unit[line.rentUnit]}`,
      amountText(feesFen(line)),
      `${line.taxRate}% · ${termsOfLine(text, line)}`,
      amountText(line.grossFen),
      amountText(line.netFen),
      [line.overCeiling ? words.overCeiling : '', line.ceilingReason, line.deviation].filter(Boolean).join(semicolon(text)),
    ]),
  )
  const awarded = award && [
    h('p', null, words.awardedBy(award.who, award.at, amountText(award.netFen))),
    table(
      words.awardHead,
      award.lines.map((line) => [
        lineNo.get(line.demandItemId),
        line.companyName,
        quoteCodes.get(line.quoteLineId),
        line.qty,
        amountText(line.netFen),
        line.reason,
      ]),
    ),
  ]
  return [
    section(
      words.quotes,
      h('p', null, text.quote.sheet.basis(amountText(assumptions.dieselFenPerLitre), amountText(assumptions.operatorMonthFen))),
      tableOrNone(text.admin.evidence.none, words.quoteHead, offers),
    ),
    section(words.award, ...(awarded ?? [h('p', null, words.none)])),
  ]
}

/** The events, notices, files and links. */
function recordSections({ demand, chain, messages, attached }: Shown, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const { move: moveNames, own } = text.demand
  return [
    section(
      words.events,
      table(
        words.eventHead,
        demand.events.map((event, index) => [
          chain.links[index]?.seq,
          event.at,
          moveNames[event.move] ?? event.move,
          event.who === '-' ? own.who.outside : event.who || own.who.clock,
          event.note,
        ]),
      ),
    ),
    section(
      words.messages,
      table(
        words.messageHead,
        messages.map(({ kind, createTime, params, people }) => [createTime, text.messages[kind as MessageKind].title(params), people]),
      ),
    ),
    section(
      words.attachments,
      attached.length === 0 ? h('p', null, words.none) : h('ul', null, ...attached.map((path) => h('li', null, path))),
    ),
    section(
      words.chain,
      table(
        words.chainHead,
        chain.links.map((link) => [link.seq, link.at, moveNames[link.move] ?? link.move, link.hash]),
      ),
    ),
  ]
}

/**
 * Recomputes every link and every receipt in the opened page, without the platform. Its text is shipped, so it uses nothing from outside:
 * the rules of the product come as arguments.
 */
async function showVerdict(findBroken: typeof brokenLink, fits: typeof receiptFits): Promise<void> {
  const verdict = document.querySelector<HTMLElement>('#verdict')
  const source = document.querySelector('#chain')?.textContent
  if (!verdict || !source) return
  const { links, receipts } = JSON.parse(source) as Shown['chain']
  const { good = '', bad = '', unable = '' } = verdict.dataset
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = unable
    return
  }
  const sha256 = async (text: string) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  let wrong: string | number | null = await findBroken(links, sha256)
  for (const receipt of receipts) if (wrong === null && !(await fits(receipt, links, sha256))) wrong = receipt.quoteCode
  verdict.textContent = wrong === null ? good : `${bad} ${wrong}`
  verdict.className = wrong === null ? 'good' : 'bad'
}
