import { useSearchParams } from 'react-router'
import { listAccounts } from '#shared/account/manage.ts'
import { accountStatus, userTypes } from '#shared/account/rules.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { WorkList } from '../app/work-list.tsx'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import { CompanyChip } from './company-chip.tsx'

const pageSize = 20

export default function AccountListPage() {
  const text = useText()
  const words = text.admin.accounts
  const session = useSession()
  const [params] = useSearchParams()
  useRememberedFilters('accounts', 'companyId')
  const list = useList(listAccounts, pageSize)
  const companyId = params.get('companyId')
  return (
    <WorkList
      name="accounts"
      title={text.admin.menu.accounts}
      lead={words.lead}
      actions={
        mayIn(session, 'staff:edit') && (
          <Link className="button button-primary" to={paths.staff()}>
            {words.addStaff}
          </Link>
        )
      }
      filters={
        <>
          {companyId && <CompanyChip id={companyId} />}
          <FilterForm>
            {companyId && <input type="hidden" name="companyId" value={companyId} />}
            <TextFilter name="keyword" label={words.keyword} value={params.get('keyword') ?? undefined} className="wide" />
            <SelectFilter
              name="userType"
              label={words.type}
              value={params.get('userType') ?? undefined}
              all={text.site.common.all}
              options={userTypes.map((one) => [one, words.types[one]])}
            />
            <SelectFilter
              name="status"
              label={text.site.common.status}
              value={params.get('status') ?? undefined}
              all={text.site.common.all}
              options={Object.entries(words.status)}
            />
          </FilterForm>
        </>
      }
      list={list}
      keyOf={({ userId }) => userId}
      nameOf={({ name, userName }) => name || userName}
      empty={words.empty}
      pageSize={pageSize}
      columns={[
        {
          id: 'user',
          label: words.user,
          whole: true,
          cell: (account) => (
            <>
              <Link to={paths.account(account.userId)}>{account.name || account.userName}</Link>
              <p className="small faint">{account.userName}</p>
            </>
          ),
        },
        { id: 'phone', label: words.phone, cell: ({ phonenumber }) => <span className="num">{phonenumber}</span> },
        { id: 'type', label: words.type, cell: ({ userType }) => words.types[userType] },
        {
          id: 'company',
          className: 'long-name',
          label: words.company,
          cell: ({ companyId: of, companyName, deptName }) =>
            of ? (
              <>
                {mayIn(session, 'company:manage') ? <Link to={paths.company(of)}>{companyName}</Link> : companyName}
                {deptName && deptName !== companyName && <p className="small faint">{deptName}</p>}
              </>
            ) : (
              text.site.common.none
            ),
        },
        {
          id: 'status',
          label: text.site.common.status,
          cell: ({ status }) => <Tag tone={status === accountStatus.active ? 'good' : 'bad'}>{words.status[status]}</Tag>,
        },
        {
          id: 'lastSignIn',
          label: words.lastSignIn,
          cell: ({ lastSignIn }) => <span className="num">{minute(lastSignIn) || words.never}</span>,
        },
        { id: 'created', label: text.list.createTime, sort: 'createTime', className: 'num', cell: ({ createTime }) => minute(createTime) },
      ]}
    />
  )
}
