import { useSearchParams } from 'react-router'
import { exportBlacklist, listBlacklist } from '#shared/blacklist/contract.ts'
import { levelName } from '#shared/blacklist/level-name.ts'
import { blacklistStatus, blacklistStatuses, isUndecided, type BlacklistStatus } from '#shared/blacklist/rules.ts'
import { useFollow } from '../app/follow.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useList } from '../app/list-frame.tsx'
import { Period } from '../app/period.tsx'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export const blacklistTone: Record<BlacklistStatus, Tone> = {
  [blacklistStatus.proposed]: 'plain',
  [blacklistStatus.notified]: 'warn',
  [blacklistStatus.inForce]: 'bad',
  [blacklistStatus.appealed]: 'amber',
  [blacklistStatus.lifted]: 'good',
  [blacklistStatus.expired]: 'plain',
  [blacklistStatus.dropped]: 'plain',
}

export default function BlacklistPage() {
  const text = useText()
  const words = text.blacklist
  const session = useSession()
  const own = roleIn(session) === 'leaser'
  const [params] = useSearchParams()
  useRememberedFilters('blacklist')
  const query = filtersOf(params)
  const list = useList(listBlacklist, pageSize)
  useFollow('blacklist', listBlacklist)
  return (
    <WorkList
      name="blacklist"
      title={own ? words.titleOwn : words.title}
      lead={own ? words.leadOwn : words.lead}
      actions={
        mayIn(session, 'blacklist:propose') && (
          <Link className="button button-primary" to={paths.addBlacklist()}>
            {words.add}
          </Link>
        )
      }
      filters={
        <>
          <TodoChip kind="blacklist" />
          <FilterForm>
            {query.todo && <input type="hidden" name="todo" value={query.todo} />}
            <TextFilter name="keyword" label={words.company} value={query.keyword} className="wide" />
            <SelectFilter
              name="status"
              label={text.site.common.status}
              value={query.status}
              all={text.site.common.unlimited}
              options={blacklistStatuses.map((status) => [status, words.status[status]])}
            />
          </FilterForm>
        </>
      }
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ subjectName, subjectNameEn }) => nameIn(text, subjectName, subjectNameEn)}
      exported={() => exportList(exportBlacklist, queryOf(params, exportBlacklist))}
      empty={own ? words.emptyOwn : words.empty}
      pageSize={pageSize}
      columns={[
        {
          id: 'subject',
          label: words.subject,
          whole: true,
          cell: (entry) => (
            <>
              <Link to={paths.blacklistEntry(entry.id)}>{nameIn(text, entry.subjectName, entry.subjectNameEn)}</Link>
              <p className="small faint">
                <span className="num">{entry.blacklistCode}</span>
                {entry.subjectKind !== 'company' && ` · ${words.kinds[entry.subjectKind]} · ${entry.companyName}`}
              </p>
            </>
          ),
        },
        { id: 'level', label: words.level, cell: (entry) => levelName(text, entry) },
        { id: 'reason', label: words.reason, cell: ({ reasonCode }) => words.reasons[reasonCode] },
        { id: 'scope', className: 'long-name', label: words.scope, cell: ({ scopeName }) => scopeName || words.platform },
        {
          id: 'period',
          label: words.period,
          sort: 'toDay',
          cell: ({ status, fromDay, toDay }) =>
            status !== blacklistStatus.dropped && (
              <>
                {isUndecided(status) && <span className="small soft block">{words.proposedPeriod}</span>}
                <Period from={fromDay} to={toDay} />
              </>
            ),
        },
        {
          id: 'status',
          label: text.site.common.status,
          cell: ({ status }) => <Tag tone={blacklistTone[status]}>{words.status[status]}</Tag>,
        },
      ]}
    />
  )
}
