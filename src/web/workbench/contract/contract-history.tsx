import { useQuery } from '@tanstack/react-query'
import { getContractChain, type Contract } from '#shared/contract/contract.ts'
import { recordChecks, recordFault, type ContractRecord, type RecordFault } from '#shared/contract/record.ts'
import { wholeRecord } from '#shared/contract/record-pages.ts'
import { shownSteps } from '#shared/contract/rules.ts'
import { stepTitleOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { call } from '../../app/api.ts'
import { hashHere } from '../../app/chain-check.tsx'
import { colon } from '../../app/colon.ts'
import { minute } from '../../app/format.ts'
import { Loaded } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { Timeline } from '../../app/timeline.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag } from '../../ui/parts.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { EvidenceButton } from './contract-evidence.tsx'
import { FileList } from '../../file/file-list.tsx'

type Checked = { record: ContractRecord; fault: RecordFault | null }

async function check(id: number): Promise<Checked> {
  const record = await wholeRecord((query) => call(getContractChain, { params: { id }, query }))
  return { record, fault: await recordFault(record, recordChecks, hashHere) }
}

/** Who did what and when, newest first, with the check that this browser makes of all of it. */
export function ContractHistory({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract.record
  const checked = useQuery({ queryKey: [getContractChain.url, contract.id], queryFn: () => check(contract.id) })
  const broken = checked.data?.fault?.part === 'link' ? checked.data.fault.at : null
  return (
    <section className="panel stack">
      <div className="row between">
        <h2>{words.title}</h2>
        <div className="row no-print">
          <button
            type="button"
            className="button button-small"
            aria-disabled={checked.isFetching}
            onClick={() => {
              void checked.refetch()
            }}
          >
            {checked.isFetching ? words.checking : words.again}
          </button>
          <EvidenceButton id={contract.id} />
        </div>
      </div>
      <p className="small soft">{words.hint}</p>
      <p className="small soft no-print">
        {words.evidence.action}
        {colon(text)}
        {words.evidence.hint}
      </p>
      <Loaded query={checked} rows={2}>
        {(found) => <Verdict {...found} />}
      </Loaded>
      <ol className="timeline">
        {contract.events.map((event) => (
          <li key={event.seq}>
            <span className="row">
              <strong>{stepTitleOf(text, event)}</strong>
              <span className="small faint num">
                {words.step(event.seq)} · {minute(event.at)}
              </span>
              {event.seq === broken && <Tag tone="bad">{words.brokenHere}</Tag>}
            </span>
            <p className="small soft">{[actorOf(text, event), event.note].filter(Boolean).join(' · ')}</p>
            <NoticeFiles notice={contract.notices.find(({ id }) => id === event.noticeId)} />
          </li>
        ))}
      </ol>
      {contract.events.length === shownSteps && <p className="small soft">{words.shown(shownSteps)}</p>}
      {checked.data && <Hashes record={checked.data.record} />}
    </section>
  )
}

const recentSteps = 4

/** The last steps beside the contract, on a screen that has room for them. */
export function RecentSteps({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract.pages
  return (
    <section className="panel stack contract-recent no-print" aria-label={words.recent}>
      <h2>{words.recent}</h2>
      <Timeline
        steps={contract.events.slice(0, recentSteps).map((event) => ({
          key: event.seq,
          title: stepTitleOf(text, event),
          at: event.at,
          note: actorOf(text, event),
        }))}
      />
      <p>
        <Link className="link" to={paths.contract(contract.id, 'history')} preventScrollReset>
          {words.allSteps}
        </Link>
      </p>
    </section>
  )
}

/** The files of a notice, below the step that gave it. */
function NoticeFiles({ notice }: { notice: Contract['notices'][number] | undefined }) {
  const words = useAmendmentWords().notice
  if (!notice || notice.files.length === 0) return null
  return <FileList label={words.files} files={notice.files.map(({ id, name, mime }) => ({ fileId: id, name, mime }))} />
}

/** The side with the person, or of the other side the company; the platform, or the clock. */
function actorOf(text: Text, { side, who, byPlatform }: Contract['events'][number]): string {
  if (side === null) return byPlatform ? text.contract.record.platform : text.demand.own.who.clock
  return [text.contract.side[side], who].filter(Boolean).join(' · ')
}

/** Whether everything fits, or plainly what does not. */
function Verdict({ record: { links, versions, head }, fault }: Checked) {
  const words = useText().contract.record
  return (
    <div className={`notice ${fault ? 'notice-warn' : ''}`} role={fault ? 'alert' : 'status'}>
      <p>
        <strong>{fault ? words.bad : words.good(links.length, versions.length)}</strong>
      </p>
      {fault && <p>{words.fault[fault.part](fault.at)}</p>}
      <p className="small">{head ? words.night(head.day, head.seq) : words.noNight}</p>
    </div>
  )
}

/** What somebody needs who compares the chain with a copy of their own. */
function Hashes({ record: { links, demandHash } }: { record: ContractRecord }) {
  const words = useText().contract
  return (
    <details>
      <summary className="small">{words.record.hashes}</summary>
      {demandHash && (
        <p className="small mt-8">
          {words.pages.demandHash} <span className="hash">{demandHash}</span>
        </p>
      )}
      <ol className="small">
        {links.map((link) => (
          <li key={link.seq}>
            {words.event[link.move] ?? link.move} <span className="faint num">{minute(link.at)}</span>
            <br />
            <span className="hash">{link.hash}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
