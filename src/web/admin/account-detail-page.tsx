import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { endAccountSessions, getAccount, listAccounts, lockAccount, resetAccountPassword, unlockAccount } from '#shared/account/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { minute } from '../app/format.ts'
import { RowTable, Unloaded } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { accountStatus, isStaff } from '#shared/account/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { FactRows, type Fact } from '../ui/facts.tsx'
import { Link } from '../ui/link.tsx'

type AccountDetail = Answered<typeof getAccount>

export default function AccountDetailPage() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  // Another account begins without the dialog that is open over this one.
  return <AccountDetailOf key={id} id={id} />
}

function AccountDetailOf({ id }: { id: string }) {
  const text = useText()
  const words = text.admin.accounts
  const site = useSiteName()
  const session = useSession()
  const { confirm, dialog } = useConfirm(getAccount, listAccounts)
  const found = useQuery({ queryKey: [getAccount.url, id], queryFn: () => call(getAccount, { params: { id } }) })
  const account = found.data
  if (!account) return <Unloaded queries={[found]} rows={5} back={<Link to={paths.accounts()}>{text.admin.menu.accounts}</Link>} />
  const note = { label: text.admin.reason, hint: text.admin.reasonHint }
  const subject = `${account.name} ${account.userName}`.trim()
  const ofConsole = isStaff(account.userType)
  const mine = account.userId === session.info?.user.userId
  const locked = account.status === accountStatus.locked
  const actions = [
    ...(locked || account.lockedUntil
      ? [{ title: words.unlock, question: words.unlockAsk, harmless: true, call: unlockAccount, done: () => words.unlocked }]
      : []),
    ...(locked ? [] : [{ title: words.lock, question: words.lockAsk, harmless: false, call: lockAccount, done: () => words.locked }]),
    { title: words.reset, question: words.resetAsk, harmless: false, call: resetAccountPassword, done: () => words.resetDone },
    {
      title: words.end,
      question: words.endAsk,
      harmless: false,
      call: endAccountSessions,
      done: (ended: unknown) => words.ended(Number(ended)),
    },
  ]
  const facts: Fact[] = [
    [words.userName, account.userName],
    [words.name, account.name],
    [words.phone, account.phonenumber],
    [words.company, (account.companyName || account.deptName) && <Employer key="company" account={account} />],
    [words.created, minute(account.createTime)],
    [words.lastSignIn, minute(account.lastSignIn) || words.never],
    [words.duties, account.duties.map((duty) => words.duty[duty]).join(comma(text))],
  ]
  return (
    <div className="stack">
      <Head title={subject} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.accounts()}>{text.admin.menu.accounts}</Link> / {account.userName}
      </nav>
      <header className="panel row between">
        <div>
          <h1>{account.name || account.userName}</h1>
          <p className="row mt-8">
            <Tag tone={locked ? 'bad' : 'good'}>{words.status[account.status]}</Tag>
            {account.lockedUntil && <Tag tone="bad">{words.lockedUntil(minute(account.lockedUntil))}</Tag>}
            <Tag>{words.types[account.userType]}</Tag>
            {account.isAdmin && <Tag tone="blue">{text.organization.admin}</Tag>}
          </p>
        </div>
        {!mine && (!ofConsole || mayIn(session, 'staff:edit')) && (
          <p className="row">
            {ofConsole && (
              <Link className="button" to={paths.staff(account.userId)}>
                {words.editStaff}
              </Link>
            )}
            {actions.map((action) => (
              <button
                key={action.title}
                type="button"
                className={action.call === lockAccount ? 'button button-danger' : 'button'}
                onClick={() =>
                  confirm({
                    ...action,
                    subject,
                    note: { ...note, draft: `${action.call.url}-${id}` },
                    run: (reason) => call(action.call, { params: { id }, body: { reason } }),
                  })
                }
              >
                {action.title}
              </button>
            ))}
          </p>
        )}
      </header>
      <section className="panel">
        <dl className="facts">
          <FactRows facts={facts} isNumeric />
        </dl>
      </section>
      <Sessions sessions={account.sessions} />
      <SignIns signIns={account.signIns} />
      {dialog}
    </div>
  )
}

/** The company, as a link for whoever may open its page, and the unit in it. */
function Employer({ account: { companyId, companyName, deptName } }: { account: AccountDetail }) {
  const mayOpen = mayIn(useSession(), 'company:manage')
  return (
    <>
      {companyId !== null && mayOpen ? <Link to={paths.company(companyId)}>{companyName}</Link> : companyName}
      {companyName && deptName && ' · '}
      {deptName}
    </>
  )
}

function Sessions({ sessions }: { sessions: AccountDetail['sessions'] }) {
  const text = useText()
  const words = text.admin.accounts
  return (
    <section>
      <h2 className="mb-12">{words.sessions}</h2>
      {sessions.length === 0 ? (
        <p className="panel soft">{words.noSessions}</p>
      ) : (
        <RowTable
          rows={sessions}
          keyOf={(one) => one.id}
          columns={[
            { label: text.personal.safety.time, cell: (one) => <span className="num">{minute(one.createdAt)}</span> },
            { label: text.admin.audit.address, cell: (one) => <span className="num">{one.address}</span> },
            { label: text.personal.safety.device, cell: (one) => <span className="small">{one.agent}</span> },
          ]}
        />
      )}
    </section>
  )
}

function SignIns({ signIns }: { signIns: AccountDetail['signIns'] }) {
  const text = useText()
  const words = text.admin.accounts
  return (
    <section>
      <h2 className="mb-12">{words.signIns}</h2>
      {signIns.length === 0 ? (
        <p className="panel soft">{words.noSignIns}</p>
      ) : (
        <RowTable
          rows={signIns}
          keyOf={(one) => one.id}
          columns={[
            { label: text.personal.safety.time, cell: (one) => <span className="num">{minute(one.at)}</span> },
            { label: words.type, cell: (one) => words.ways[one.way] },
            {
              label: text.site.common.status,
              cell: (one) => <Tag tone={one.succeeded ? 'good' : 'bad'}>{one.succeeded ? words.succeeded : words.failed}</Tag>,
            },
            { label: text.admin.audit.address, cell: (one) => <span className="num">{one.address}</span> },
          ]}
        />
      )}
    </section>
  )
}
