import { useSearchParams } from 'react-router'
import { listOutbox, resendOutbox } from '#shared/outbox/contract.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Tag } from '../ui/parts.tsx'

const pageSize = 20
const toneOf = { [outboxStatus.waiting]: 'amber', [outboxStatus.sent]: 'good', [outboxStatus.failed]: 'bad' } as const

export default function OutboxPage() {
  const text = useText()
  const { admin, register } = text.personal
  const words = text.admin.outbox
  const [params] = useSearchParams()
  const list = useList(listOutbox, pageSize)
  const { ask, dialog } = useConfirm(listOutbox)
  return (
    <>
      <ListFrame
        title={admin.outbox}
        lead={admin.outboxLead}
        filters={
          <FilterForm>
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
        empty={text.site.common.empty}
        pageSize={pageSize}
        columns={[
          { label: text.personal.safety.time, cell: (letter) => <span className="num">{minute(letter.createTime)}</span> },
          { label: register.phone, cell: (letter) => <span className="num">{letter.phonenumber}</span> },
          {
            label: admin.content,
            whole: true,
            cell: (letter) => (
              <>
                {letter.content}
                {letter.error && <p className="small field-error">{letter.error}</p>}
              </>
            ),
          },
          {
            label: admin.provider,
            cell: (letter) => (
              <>
                {letter.provider === 'local' ? admin.local : letter.provider}
                {letter.providerId && <p className="small faint num">{letter.providerId}</p>}
              </>
            ),
          },
          {
            label: text.site.common.status,
            cell: (letter) => (
              <span className="row gap-8">
                <Tag tone={toneOf[letter.status]}>{admin.sms[letter.status]}</Tag>
                {letter.status === outboxStatus.failed && letter.template === 'notice' && (
                  <button
                    type="button"
                    className="button button-small"
                    onClick={() =>
                      ask({
                        title: words.resend,
                        ask: letter.content,
                        harmless: true,
                        run: () => call(resendOutbox, { params: { id: letter.id } }),
                        done: () => words.resent,
                      })
                    }
                  >
                    {words.resend}
                    <span className="visually-hidden"> {letter.phonenumber}</span>
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
