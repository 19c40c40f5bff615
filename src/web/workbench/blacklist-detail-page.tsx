import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type Dispatch, type SetStateAction } from 'react'
import { useSearchParams } from 'react-router'
import * as contract from '#shared/blacklist/contract.ts'
import { levelName } from '#shared/blacklist/level-name.ts'
import { blacklistRules, blacklistStatus, heardEntries, inForce, isUndecided } from '#shared/blacklist/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { call } from '../app/api.ts'
import { useFollow } from '../app/follow.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { Period } from '../app/period.tsx'
import { useText } from '../app/text.tsx'
import { Timeline } from '../app/timeline.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { FactRows } from '../ui/facts.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { blacklistTone } from './blacklist-list-page.tsx'
import { FileList, type ListedFile } from '../file/file-list.tsx'
import { Link } from '../ui/link.tsx'

type BlacklistAct = 'notify' | 'withdraw' | 'emergency' | 'decide' | 'drop' | 'answer' | 'appeal' | 'uphold' | 'keep' | 'lift'

export default function BlacklistDetailPage() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  // Another entry begins without the dialog that is open over this one.
  return <BlacklistDetail key={id} id={id} />
}

function BlacklistDetail({ id }: { id: string }) {
  const text = useText()
  const words = text.blacklist
  const site = useSiteName()
  const [pending, setPending] = useState<BlacklistAct | null>(null)
  const found = useQuery({ queryKey: [contract.getBlacklist.url, id], queryFn: () => call(contract.getBlacklist, { params: { id } }) })
  useFollow('blacklist', contract.getBlacklist)
  const back = <Link to={paths.blacklist()}>{roleIn(useSession()) === 'leaser' ? words.titleOwn : words.title}</Link>
  if (!found.data) return <Unloaded queries={[found]} rows={5} back={back} />
  const entry = found.data
  const { may } = entry
  const level = levelName(text, entry)
  const button = (act: BlacklistAct, label: string, tone = '') => (
    <button type="button" className={`button ${tone}`} onClick={() => setPending(act)}>
      {label}
    </button>
  )
  const part = (name: 'evidence' | 'answer' | 'appeal') => entry.files.filter((file) => file.part === name)
  return (
    <div className="stack">
      <Head title={entry.blacklistCode} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        {back} / <span className="num">{entry.blacklistCode}</span>
      </nav>
      <header className="panel stack">
        <div>
          <h1>{nameIn(text, entry.subjectName, entry.subjectNameEn)}</h1>
          <p className="row mt-8">
            <Tag tone={blacklistTone[entry.status]}>{words.status[entry.status]}</Tag>
            {level && <Tag>{level}</Tag>}
            {entry.emergency && <Tag tone="bad">{words.emergency}</Tag>}
            {entry.subjectKind !== 'company' && <span className="soft">{entry.companyName}</span>}
          </p>
        </div>
        {inForce(entry.status) && (
          <p className="notice notice-warn">
            {words.blocks(entry.scopeName || words.platform, entry.fromDay, entry.toDay)} ·{' '}
            {words.effects[entry.subjectKind]?.[entry.level]}
          </p>
        )}
        <p className="row no-print">
          {may.edit && (
            <Link className="button" to={paths.addBlacklist(`?id=${entry.id}`)}>
              {words.edit}
            </Link>
          )}
          {may.notify && button('notify', words.notify, 'button-primary')}
          {may.emergency && button('emergency', words.emergencyAct, 'button-danger')}
          {may.decide && button('decide', words.decide, 'button-danger')}
          {may.drop && button('drop', words.drop)}
          {may.answer && button('answer', words.answer, 'button-primary')}
          {may.appeal && button('appeal', words.appeal, 'button-primary')}
          {may.decideAppeal && button('uphold', words.uphold, 'button-primary')}
          {may.decideAppeal && button('keep', words.keep)}
          {may.lift && button('lift', words.lift)}
          {may.withdraw && button('withdraw', words.withdraw, 'button-danger')}
        </p>
        {entry.status === blacklistStatus.inForce && entry.appealFrom && <p className="small soft">{words.appealFrom(entry.appealFrom)}</p>}
      </header>
      <section className="panel">
        <dl className="facts">
          <FactRows
            facts={[
              [words.reason, words.reasons[entry.reasonCode]],
              [words.scope, entry.scopeName || words.platform],
              [
                isUndecided(entry.status) ? words.proposedPeriod : words.period,
                entry.status !== blacklistStatus.dropped && <Period key="period" from={entry.fromDay} to={entry.toDay} />,
              ],
              [words.proposer, entry.proposer],
            ]}
          />
        </dl>
        <h2 className="mt-16">{words.facts}</h2>
        <p className="pre-line">{entry.facts}</p>
        <div className="mt-12">
          <FileList label={words.evidence} files={part('evidence')} />
        </div>
      </section>
      {entry.answerUntil && <Hearing entry={entry} answerUntil={entry.answerUntil} files={part('answer')} />}
      {entry.decideTime && (
        <section className="panel">
          <h2>{words.decision}</h2>
          <p className="pre-line">{entry.decideNote}</p>
          <p className="small faint num">{minute(entry.decideTime)}</p>
        </section>
      )}
      {entry.appeals.length > 0 && <Appeals appeals={entry.appeals} files={part('appeal')} />}
      <section className="panel">
        <h2>{words.timeline}</h2>
        <Timeline
          steps={entry.events.map(({ id, move, at, who, note }) => ({
            key: id,
            title: words.move[move] ?? move,
            at,
            note: [who, note].filter(Boolean).join(' · '),
          }))}
        />
        {entry.events.length === blacklistRules.shownSteps && <p className="small soft">{words.shown(blacklistRules.shownSteps)}</p>}
      </section>
      {pending && <ActDialog key={pending} entry={entry} pending={pending} setPending={setPending} />}
    </div>
  )
}

type HearingProps = { entry: contract.BlacklistDetail; answerUntil: string; files: readonly ListedFile[] }

/** The answer of the subject, or until when it may still be given. */
function Hearing({ entry, answerUntil, files }: HearingProps) {
  const words = useText().blacklist
  const isOpen = isAmong(entry.status, heardEntries) && toMoment(new Date()) < answerUntil
  return (
    <section className="panel">
      <h2>{words.hearing}</h2>
      {entry.answerTime ? (
        <>
          <p className="pre-line">{entry.answer}</p>
          <p className="small faint num">{minute(entry.answerTime)}</p>
          {files.length > 0 && (
            <div className="mt-12">
              <FileList label={words.files} files={files} />
            </div>
          )}
        </>
      ) : (
        <p className="soft">{isOpen ? `${words.noAnswerYet} · ${words.hearingUntil(minute(answerUntil))}` : words.noAnswer}</p>
      )}
    </section>
  )
}

type ActDialogProps = {
  entry: contract.BlacklistDetail
  pending: BlacklistAct
  setPending: Dispatch<SetStateAction<BlacklistAct | null>>
}

function ActDialog({ entry, pending, setPending }: ActDialogProps) {
  const text = useText()
  const words = text.blacklist
  const [content, setContent] = useState('')
  const [files, setFiles] = useState<ListedFile[]>([])
  // While it is sent, the dialog may be closed and one of another act opened, which stays.
  const onClose = () => setPending((now) => (now === pending ? null : now))
  const schema =
    pending === 'answer'
      ? contract.answerBlacklist.body
      : pending === 'appeal'
        ? contract.appealBlacklist.body
        : contract.liftBlacklist.body
  const form = useForm(schema)
  const plain = pending === 'notify' || pending === 'withdraw'
  const draft = useValuesDraft(
    plain ? null : `blacklist-${entry.id}-${pending}`,
    { content, files },
    (stored) => {
      setContent(stored.content)
      setFiles(stored.files)
    },
    { quiet: true },
  )
  const field = pending === 'answer' ? 'answer' : pending === 'appeal' ? 'content' : 'note'
  // The page behind the dialog follows the entry; whoever decides has read it as it was when they opened the dialog.
  const [version] = useState(entry.version)
  const body = { version, [field]: content, fileIds: files.map(({ fileId }) => fileId) }
  const titles: Record<BlacklistAct, [title: string, question: string, done: string]> = {
    notify: [words.notify, words.notifyAsk, words.notified],
    withdraw: [words.withdraw, words.withdrawAsk, words.withdrawn],
    emergency: [words.emergencyAct, words.emergencyAsk, words.decided],
    decide: [words.decide, words.effects[entry.subjectKind]?.[entry.level] ?? '', words.decided],
    drop: [words.drop, '', words.decided],
    answer: [words.answer, words.hearingUntil(minute(entry.answerUntil)), words.answered],
    appeal: [words.appeal, words.appealHint, words.appealed],
    uphold: [words.uphold, '', words.decided],
    keep: [words.keep, '', words.decided],
    lift: [words.lift, '', words.lifted],
  }
  const act = useMutation({
    mutationFn: async (move: BlacklistAct): Promise<unknown> => {
      const params = { id: entry.id }
      switch (move) {
        case 'notify':
          return call(contract.notifyBlacklist, { params })
        case 'withdraw':
          return call(contract.withdrawBlacklist, { params })
        case 'emergency':
          return call(contract.emergencyBlacklist, { params, body: { version, note: content } })
        case 'decide':
        case 'drop':
          return call(contract.decideBlacklist, { params, body: { version, effective: move === 'decide', note: content } })
        case 'answer':
          return call(contract.answerBlacklist, { params, body: { answer: content, fileIds: body.fileIds as string[] } })
        case 'appeal':
          return call(contract.appealBlacklist, { params, body: { content, fileIds: body.fileIds as string[] } })
        case 'uphold':
        case 'keep':
          return call(contract.decideAppeal, { params, body: { version, upheld: move === 'uphold', note: content } })
        case 'lift':
          return call(contract.liftBlacklist, { params, body: { version, note: content } })
      }
    },
    onSuccess: (_, move) => {
      draft.done()
      toast('success', titles[move][2])
      onClose()
      return invalidate(contract.getBlacklist, contract.listBlacklist)
    },
    onError: (error) => {
      form.refused(error)
      if (!isOutdated(error)) return
      onClose()
      void invalidate(contract.getBlacklist, contract.listBlacklist)
    },
  })
  const [title, question] = titles[pending]
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      wide={!plain}
      kind={['decide', 'emergency', 'withdraw'].includes(pending) ? 'warning' : 'info'}
      action={title}
      busy={act.isPending}
      onConfirm={() => (plain || form.check(body)) && act.mutate(pending)}
    >
      {question && <p>{question}</p>}
      {!plain && (
        <TextareaField
          label={pending === 'answer' ? words.answerText : pending === 'appeal' ? words.appealText : words.note}
          required
          maxLength={pending === 'answer' || pending === 'appeal' ? 4000 : 1000}
          value={content}
          onChange={(value) => {
            setContent(value)
            form.clear(field)
          }}
          error={form.errors[field]}
        />
      )}
      {(pending === 'answer' || pending === 'appeal') && (
        <FileList
          label={words.files}
          files={files}
          error={form.errors.fileIds}
          onChange={(next) => {
            setFiles(next)
            form.clear('fileIds')
          }}
        />
      )}
      <DraftNote draft={draft} />
    </ConfirmDialog>
  )
}

function Appeals({ appeals, files }: { appeals: contract.BlacklistDetail['appeals']; files: readonly ListedFile[] }) {
  const words = useText().blacklist
  return (
    <section className="panel">
      <h2>{words.appeals}</h2>
      <ul className="stack">
        {appeals.map((one) => (
          <li key={one.id}>
            <p className="pre-line">{one.content}</p>
            <p className="small soft">
              <span className="num">{minute(one.appealTime)}</span>{' '}
              <Tag tone={one.upheld === null ? 'warn' : one.upheld ? 'good' : 'plain'}>
                {one.upheld === null ? words.pending : one.upheld ? words.upheld : words.kept}
              </Tag>{' '}
              {one.note}
            </p>
          </li>
        ))}
      </ul>
      {files.length > 0 && <FileList label={words.files} files={files} />}
    </section>
  )
}
