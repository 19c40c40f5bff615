import { useSearchParams } from 'react-router'
import { listOutbox, resendOutbox } from '#shared/outbox/contract.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { useText } from '../app/text.tsx'
import { WorkList } from '../app/work-list.tsx'
import { Tag } from '../ui/parts.tsx'

const pageSize = 20
const toneOf = { [outboxStatus.waiting]: 'amber', [outboxStatus.sent]: 'good', [outboxStatus.failed]: 'bad', local: 'plain' } as const

export default function OutboxPage() {
  const text = useText()
  const { admin, register } = text.personal
  const words = text.admin.outbox
  const [params] = useSearchParams()
  const isTodo = params.get('todo') === '1'
  const list = useList(listOutbox, pageSize)
  const { confirm, dialog } = useConfirm(listOutbox)
  return (
    <>
      <WorkList
        name="outbox"
        title={admin.outbox}
        lead={admin.outboxLead}
        tabs={[
          { to: withParam(params, 'todo', ''), label: text.site.common.all, current: !isTodo },
          { to: withParam(params, 'todo', '1'), label: text.statistics.panel.kinds.outbox[2], current: isTodo },
        ]}
        filters={
          <FilterForm views={['todo']}>
            {isTodo && <input type="hidden" name="todo" value="1" />}
            <TextFilter name="phonenumber" label={register.phone} value={params.get('phonenumber') ?? undefined} />
            <SelectFilter
              name="status"
              label={words.status}
              value={params.get('status') ?? undefined}
              all={text.site.common.all}
              options={Object.entries(admin.sms)}
            />
          </FilterForm>
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ phonenumber }) => phonenumber}
        empty={text.site.common.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'time',
            label: text.personal.safety.time,
            sort: 'createTime',
            cell: (sms) => <span className="num">{minute(sms.createTime)}</span>,
          },
          { id: 'phone', label: register.phone, cell: (sms) => <span className="num">{sms.phonenumber}</span> },
          {
            id: 'content',
            label: admin.content,
            whole: true,
            cell: (sms) => (
              <>
                {sms.content}
                {sms.error && <p className="small field-error">{sms.error}</p>}
              </>
            ),
          },
          {
            id: 'provider',
            label: admin.provider,
            cell: (sms) => (
              <>
                {sms.provider === 'local' ? admin.local : sms.provider}
                {sms.providerId && <p className="small faint num">{sms.providerId}</p>}
              </>
            ),
          },
          {
            id: 'status',
            label: text.site.common.status,
            cell: (sms) => (
              <span className="row gap-8">
                <Tag tone={toneOf[sms.status]}>{admin.sms[sms.status]}</Tag>
                {sms.status === outboxStatus.failed && sms.template === 'notice' && (
                  <button
                    type="button"
                    className="button button-small"
                    onClick={() =>
                      confirm({
                        title: words.resend,
                        question: sms.content,
                        harmless: true,
                        run: () => call(resendOutbox, { params: { id: sms.id } }),
                        done: () => words.resent,
                      })
                    }
                  >
                    {words.resend}
                    <span className="visually-hidden"> {sms.phonenumber}</span>
                  </button>
                )}
              </span>
            ),
          },
        ]}
      />
      {dialog}
    </>
  )
}
