import { createElement as h, type ReactNode } from 'react'
import { amountText } from '#shared/amount-text.ts'
import { toMoment } from '#shared/calendar.ts'
import { rateSpans } from '#shared/contract/amount.ts'
import { recordChecks, recordFault, type ContractRecord, type RecordChecks, type RecordFault } from '#shared/contract/record.ts'
import { positionStatus } from '#shared/contract/rules.ts'
import { positionStatusOf, printedChangeStatusOf, printedStatusOf, stepTitleOf } from '#shared/contract/status-text.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { workOf } from '#shared/contract/text.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { facts, packPageParts, section, table, tableOrNone } from '../opening/pack-page.ts'
import type { ContractEvidence } from './evidence.ts'

type Shown = ContractEvidence & { formed: readonly string[]; scanned: readonly string[]; noticed: readonly string[] }

const faultParts = ['link', 'demand', 'version', 'change', 'standing', 'cut', 'root'] as const satisfies RecordFault['part'][]

type Writing = { text: Text; site: string; now: Date; record: AsyncIterable<string> }

/**
 * Renders the readable page of the evidence pack of a contract, which makes the check of the contract's page when it is opened. `record` is the JSON of what it
 * checks.
 */
export function contractEvidencePage(found: Shown, { text, site, now, record: parts }: Writing): AsyncIterable<string> {
  const { contract, record, versions } = found
  const words = text.contract.record
  const { evidence } = words
  const page = {
    lang: text.locale,
    title: `${contract.contractCode} ${evidence.title}`,
    head: [
      h('h1', null, `${evidence.title}: ${contract.title}`),
      h('p', null, text.admin.evidence.made(site, toMoment(now))),
      h('p', null, text.contract.pages.record),
    ],
    check: evidence.check,
    verdict: {
      good: words.good(record.links.length, versions.length),
      unable: evidence.unable,
      unreadable: evidence.unreadable,
      // The script puts the place in where the mark stands.
      ...Object.fromEntries(faultParts.map((part) => [part, words.fault[part](mark)])),
      begin: words.fault.demand(0),
    },
    body: [...contractSections(found, text), ...recordSections(found, text)],
    script: `(${showRecordVerdict.toString()})(${recordFault.toString()}, {${checks.join(', ')}})`,
  }
  return packPageParts(page, parts)
}

const mark = '@@'
/** The checks of a record as text. */
const checks = Object.entries(recordChecks).map(([name, check]) => `${name}: ${check.toString()}`)

/** The contract with its positions, versions and amendments. */
function contractSections({ contract, versions, changes }: Shown, text: Text): ReactNode[] {
  const words = text.contract
  const { evidence } = words.record
  return [
    section(
      evidence.facts,
      facts([
        [words.code, contract.contractCode],
        [text.site.common.status, printedStatusOf(text, contract.status)],
        [words.side.lessee, `${contract.lessee.companyName} ${contract.lessee.deptName}`],
        [words.side.lessor, contract.lessor.companyName],
        [words.amountYuan, amountText(contract.amount)],
        [words.pages.dates, `${contract.planStart} – ${text.list.endDay(contract.planEnd)}`],
        [words.pages.project, contract.projectName],
        [words.pages.place, contract.address],
        [words.pages.sentAt, contract.sentAt],
        [words.pages.confirmedAt, contract.confirmedAt],
        [words.pages.hash, contract.textHash],
        [words.pages.endReason, contract.endReason],
      ]),
    ),
    section(
      evidence.positions,
      table(
        evidence.positionHead,
        contract.lines.map((line) => [
          line.lineNo,
          [
            `${nameIn(text, line.name, line.nameEn)} ${line.equipmentCode}`,
            workOf(line, text),
            ...(line.status === positionStatus.cancelled ? [positionStatusOf(text, line, contract.ending)] : []),
          ].join(' · '),
          line.qty,
          pricesOf(line, text),
          `${line.planStart} – ${text.list.endDay(line.planEnd)}`,
          amountText(line.amount),
        ]),
      ),
    ),
    section(
      evidence.versions,
      tableOrNone(
        evidence.none,
        evidence.versionHead,
        versions.map(({ revision, fromDay, textHash }) => [revision, fromDay, textHash, `versions/${revision}.txt`]),
      ),
    ),
    section(
      evidence.changes,
      tableOrNone(
        evidence.none,
        evidence.changeHead,
        changes.map((change) => [
          change.changeCode,
          words.changeKind[change.kind],
          words.side[change.side],
          printedChangeStatusOf(text, change),
          change.fromDay,
          change.reason,
          change.answer,
          change.createTime,
        ]),
      ),
    ),
  ]
}

/** The price, and where it has changed, the one from each day. */
function pricesOf({ unitPrice, rates, rentUnit, ...line }: Shown['contract']['lines'][number], text: Text): string {
  const dated = rates.map(({ unitPrice: unitPriceFen, ...rate }) => ({ ...rate, unitPriceFen }))
  return rateSpans({ ...line, unitPriceFen: unitPrice, rates: dated })
    .map(({ from, unitPriceFen }, index) => {
      const price = `${amountText(unitPriceFen)} ${text.equipment.unit[rentUnit]}`
      return index === 0 ? price : `${text.contract.pages.priceFrom(from)} ${price}`
    })
    .join(' · ')
}

const pathList = (paths: readonly string[]) => h('ul', null, ...paths.map((path) => h('li', null, path)))

/** The events, files, messages and links. */
function recordSections({ contract, record, formed, scanned, noticed, messages, demand }: Shown, text: Text): ReactNode[] {
  const words = text.contract
  const { evidence, platform } = words.record
  const moveOf = (move: string) => words.event[move] ?? move
  const { clock } = text.demand.own.who
  return [
    section(
      evidence.events,
      table(
        evidence.eventHead,
        contract.events
          .toReversed()
          .map((step) => [
            step.seq,
            step.at,
            stepTitleOf(text, step),
            [step.side === null ? (step.byPlatform ? platform : clock) : words.side[step.side], step.who].filter(Boolean).join(' '),
            step.note,
          ]),
      ),
    ),
    ...(formed.length > 0 ? [section(words.pages.ownForm.listTitle, pathList(formed))] : []),
    section(evidence.scans, scanned.length === 0 ? h('p', null, evidence.none) : pathList(scanned)),
    ...(noticed.length > 0 ? [section(moveOf('notice'), pathList(noticed))] : []),
    section(
      evidence.messages,
      tableOrNone(
        evidence.none,
        evidence.messageHead,
        messages.map(({ kind, createTime, params, people }) => [createTime, text.messages[kind as MessageKind].title(params), people]),
      ),
    ),
    ...(demand
      ? [
          section(
            words.pages.demand,
            h(
              'p',
              null,
              demand.whole ? evidence.ofDemand : evidence.ofDemandChain,
              ' ',
              h('code', null, demand.whole ? 'demand/index.html' : 'demand/chain.json'),
            ),
          ),
        ]
      : []),
    section(
      evidence.chain,
      table(
        evidence.chainHead,
        record.links.map((link) => [link.seq, link.at, moveOf(link.move), link.hash]),
      ),
    ),
  ]
}

/**
 * Makes the check of the contract's page in the opened pack, without the platform. Its text is shipped, so it uses nothing from outside: the rules of the
 * product come as arguments.
 */
async function showRecordVerdict(findFault: typeof recordFault, using: RecordChecks): Promise<void> {
  const verdict = document.querySelector<HTMLElement>('#verdict')
  if (!verdict) return
  const show = (words: string | undefined, isGood: boolean) => {
    verdict.textContent = words ?? ''
    verdict.className = isGood ? 'good' : 'bad'
  }
  const words = verdict.dataset
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = words.unable ?? ''
    return
  }
  const sha256 = async (text: string) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  try {
    const record = JSON.parse(document.querySelector('#chain')?.textContent ?? '') as ContractRecord
    const fault = await findFault(record, using, sha256)
    if (!fault) show(words.good, true)
    else if (fault.part === 'demand' && fault.at === 0) show(words.begin, false)
    else show(words[fault.part]?.replace('@@', String(fault.at ?? '')), false)
  } catch {
    // A changed byte may also leave something that is no JSON, or lacks a part.
    show(words.unreadable, false)
  }
}
