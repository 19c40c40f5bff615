import { useQuery } from '@tanstack/react-query'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getWorkPanel } from '#shared/statistics/contract.ts'
import { call } from '../app/api.ts'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { FirstSteps } from '../app/first-steps.tsx'
import { Loaded } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useSession } from '../app/session.ts'
import { useLanguage } from '../app/text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** The tasks that wait, by kind, and the latest messages. The personal centre and the console show it. */
export function WorkPanel({ title }: { title?: string }) {
  const { text, locale } = useLanguage()
  const site = useSiteName()
  const { info, unread } = useSession()
  const { personal } = text.account
  const panel = useQuery({
    queryKey: [getWorkPanel.url, unread],
    queryFn: () => call(getWorkPanel, {}),
    placeholderData: (before) => before,
  })
  const messages = useQuery({
    queryKey: [listOwnMessages.url, 'latest', unread, locale],
    queryFn: () => call(listOwnMessages, { query: { pageSize: 5 } }),
  })
  return (
    <div className="stack">
      <Head title={title ?? personal.panel} site={site} index={false} />
      <h1>{title ?? personal.hello(info?.user.nickName ?? '')}</h1>
      <FirstSteps />
      <section>
        <h2 className="mb-12">{personal.waiting}</h2>
        <Loaded query={panel} rows={3}>
          {({ tasks }) =>
            tasks.length > 0 ? (
              <div className="form-grid">
                {tasks.map((task) => (
                  <Link key={task.kind} className="task" to={task.link}>
                    {personal.tasks[task.kind]}
                    {task.kind === 'certify' ? (
                      <span className="small soft">{personal.certifyText}</span>
                    ) : (
                      <strong className="num">{task.count}</strong>
                    )}
                  </Link>
                ))}
              </div>
            ) : (
              <div className="panel">
                <Empty title={personal.nothing} hint={personal.nothingHint} />
              </div>
            )
          }
        </Loaded>
      </section>
      <section className="panel">
        <div className="row between mb-8">
          <h2>{personal.latest}</h2>
          <Link to={paths.messages}>{text.site.common.more}</Link>
        </div>
        <Loaded query={messages} rows={3}>
          {({ rows }) =>
            rows.length === 0 ? (
              <p className="soft">{personal.nothingHint}</p>
            ) : (
              <ul className="articles">
                {rows.map((message) => (
                  <li key={message.messageId} className="row between">
                    <Link to={message.link || paths.messages}>
                      {message.isRead === yesNo.no && <span className="dot" aria-label={text.account.message.unread} role="img" />}
                      {message.title}
                    </Link>
                    <span className="small faint num">{minute(message.createTime)}</span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </div>
  )
}
