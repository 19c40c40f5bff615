import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { rateSpans } from '#shared/contract/amount.ts'
import { clauseGroupNames, clauseGroups, clausesFrom, type ClauseKey } from '#shared/contract/clauses.ts'
import { getContractText, type Contract, type Position } from '#shared/contract/contract.ts'
import { contractSides, contractStatus, contractTasks, endOfHire, positionStatus, type PositionStatus } from '#shared/contract/rules.ts'
import { positionStatusOf, scanStatusOf } from '#shared/contract/status-text.ts'
import { groupOfLine, workOf } from '#shared/contract/text.ts'
import { paths } from '#shared/paths.ts'
import { feeParts } from '#shared/quote/rules.ts'
import { call } from '../../app/api.ts'
import { money, number } from '../../app/format.ts'
import { Loaded, RowTable } from '../../app/list-frame.tsx'
import { Period } from '../../app/period.tsx'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag, type Tone } from '../../ui/parts.tsx'
import { lineOfPosition } from './contract-line.ts'
import { openComment } from './contract-status.ts'
import { FileList } from '../../file/file-list.tsx'

const positionTone: Record<PositionStatus, Tone> = {
  [positionStatus.waiting]: 'plain',
  [positionStatus.onSite]: 'good',
  [positionStatus.left]: 'blue',
  [positionStatus.cancelled]: 'bad',
}

type Fees = Record<`${(typeof feeParts)[number]}Fee`, string>

/** What is charged once for a position, each fee with its name, or that there is no such fee. */
export function FeeList({ position }: { position: Fees }) {
  const text = useText()
  const fees = feeParts
    .filter((part) => Number(position[`${part}Fee`]) > 0)
    .map((part) => `${clauseWordsOf(text).document.fee[part]} ${money(position[`${part}Fee`], true)}`)
  return (
    <span className={fees.length > 0 ? 'small' : undefined}>
      {(fees.length > 0 ? fees : [text.quote.form.noFees]).map((fee) => (
        <span key={fee} className="block unbroken capital">
          {fee}
        </span>
      ))}
    </span>
  )
}

/** The planned days of a position by price and tax rate. */
const spansOf = (position: Position) =>
  rateSpans(lineOfPosition(position)).map(({ unitPriceFen, ...span }) => ({ ...span, unitPrice: unitPriceFen / 100 }))

/** The machines of the contract with prices, days and sums. */
export function PositionTable({ contract: { lines, status, ending } }: { contract: Contract }) {
  const text = useText()
  const words = text.contract.pages
  return (
    <RowTable
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        {
          label: text.contract.positions,
          whole: true,
          cell: (line) => (
            <>
              <p className="row gap-8">
                <strong>
                  {line.lineNo}. {nameIn(text, line.name, line.nameEn)} ×{number(line.qty, 3)}
                </strong>
                {/* No machine of a contract that never came into force is expected anywhere. */}
                {status !== contractStatus.voided && (
                  <Tag tone={endOfHire(line, ending) ? 'plain' : positionTone[line.status]}>{positionStatusOf(text, line, ending)}</Tag>
                )}
              </p>
              <p className="small soft">
                {!(text.locale === 'zh-CN' && line.name.startsWith(line.spec)) && `${line.spec} `}
                <span className="num">{line.equipmentCode}</span>
              </p>
              <p className="small soft">
                {[
                  line.includesOperator ? text.equipment.withOperator : text.equipment.bare,
                  text.equipment.fuelBy[line.includesFuel ? 'lessor' : 'lessee'],
                  workOf(line, text),
                ].map((part, index) => (
                  <Fragment key={part}>
                    {index > 0 && ' · '}
                    <span className="contract-term">{part}</span>
                  </Fragment>
                ))}
              </p>
            </>
          ),
        },
        {
          label: words.price,
          num: true,
          cell: (line) => (
            <span>
              {spansOf(line).map((span, index) => (
                <span key={span.from} className="block">
                  {index > 0 && <span className="small soft block">{words.priceFrom(span.from)}</span>}
                  {`${money(span.unitPrice, true)} ${text.equipment.unit[line.rentUnit]}`}
                  <span className="small soft block">{`${span.taxRate}% · ${text.demand.invoices[line.invoiceKind]}`}</span>
                </span>
              ))}
              {line.oddTaxRate && <span className="small soft block broken">{text.quote.form.oddTax}</span>}
            </span>
          ),
        },
        {
          label: words.dates,
          cell: (line) => (
            <span>
              <Period from={line.planStart} to={line.planEnd} />
              {line.minRentDays > 0 && <span className="small soft block">{words.minDays(line.minRentDays)}</span>}
            </span>
          ),
        },
        {
          label: words.fees,
          cell: (line) => <FeeList position={line} />,
        },
        { label: words.sum, num: true, cell: (line) => <strong>{money(line.amount, true)}</strong> },
      ]}
    />
  )
}

/** Every clause with its sentence, in the groups of the printed contract, and beside it what the lessor wrote when it last returned the draft. */
export function ClauseList({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  const { sentences } = clauseWordsOf(text)
  const clauses = clausesFrom(contract.clauses)
  const comments = openComment(contract)?.clauses ?? []
  const isLong = (key: ClauseKey) => key === 'stopRules' || key === 'extras'
  return (
    <>
      {clauseGroupNames.map((group) => (
        <section key={group} className="panel stack">
          <h2>{words.clauseGroup[group]}</h2>
          <dl className="facts clause-list">
            {clauseGroups[group].map((key) => (
              <div key={key} className={isLong(key) ? 'span-all' : undefined}>
                <dt>{words.clause[key]}</dt>
                <dd className="pre-line">{sentences[key](clauses)}</dd>
                {comments
                  .filter((one) => one.key === key)
                  .map(({ comment }) => (
                    <dd key={comment} className="notice notice-warn small">
                      {comment}
                    </dd>
                  ))}
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}

/** Who does what for each side. */
export function PersonList({ contract: { persons } }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  return (
    <section className="panel stack">
      <h2>{words.pages.people}</h2>
      <p className="small soft">{words.pages.peopleHint}</p>
      {contractSides.map((side) => (
        <div key={side}>
          <h3>{words.side[side]}</h3>
          <dl className="facts contract-tasks">
            {contractTasks.map((task) => (
              <div key={task}>
                <dt>{words.task[task]}</dt>
                <dd>
                  {persons
                    .filter((one) => one.side === side && one.task === task)
                    .map(({ name }) => name)
                    .join(clauseWordsOf(text).document.separator) || words.pages.nobody}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  )
}

/** The scan of the sealed document, as one side submitted it. */
export function ScanList({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  return (
    <section className="panel stack">
      <h2>{words.pages.scans}</h2>
      <p>
        {scanStatusOf(text, contract)}
        {contract.scanBy && <span className="small soft"> · {words.pages.scanBy(words.side[contract.scanBy])}</span>}
      </p>
      {contract.scans.length > 0 && (
        <FileList label={words.pages.scanFiles} files={contract.scans.map(({ id, name, mime }) => ({ fileId: id, name, mime }))} />
      )}
      {contract.scanRevision !== null && (
        <p>
          <Link className="link" to={paths.contractText(contract.id, contract.scanRevision)}>
            {words.pages.textOf(contract.scanRevision)}
          </Link>
        </p>
      )}
    </section>
  )
}

/** The text that both sides confirm, in the reader's language, with the hash of the binding one; of an older version where `revision` is not empty. */
export function ContractText({ contract: { id, revision: newest }, revision }: { contract: Contract; revision: string }) {
  const text = useText()
  const words = text.contract.pages
  const found = useQuery({
    queryKey: [getContractText.url, id, text.locale, ...(revision ? [revision] : [])],
    queryFn: () => call(getContractText, { params: { id }, query: { revision } }),
  })
  return (
    <Loaded query={found}>
      {({ sections, textHash, language }) => (
        <section className="panel stack">
          <p className="notice">{words.record}</p>
          {revision && Number(revision) !== newest && (
            <p className="notice">
              {words.textOf(Number(revision))}{' '}
              <Link className="link" to={paths.contract(id, 'text')}>
                {words.readAgain}
              </Link>
            </p>
          )}
          {language !== text.locale && <p className="notice">{words.noReading}</p>}
          {sections.map(({ title, lines }, index) => (
            <div key={`${title}-${index}`} lang={language}>
              <h2>{title}</h2>
              {lines.map((line, at) => {
                const group = groupOfLine(line)
                return group === null ? (
                  <p key={`${at}-${line}`} className="pre-line">
                    {line}
                  </p>
                ) : (
                  <h3 key={`${at}-${line}`} className="mt-8">
                    {group}
                  </h3>
                )
              })}
            </div>
          ))}
          <TextHash hash={textHash} />
        </section>
      )}
    </Loaded>
  )
}

export function TextHash({ hash }: { hash: string }) {
  const words = useText().contract.pages
  return (
    <div>
      <p className="small">
        {words.hash} <span className="faint">{words.hashHint}</span>
      </p>
      <p className="hash">{hash}</p>
    </div>
  )
}
