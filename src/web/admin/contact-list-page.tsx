import { useSearchParams } from 'react-router'
import { handleContact, listContacts } from '#shared/contact/manage.ts'
import { getOverview } from '#shared/system/contract.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { WorkList } from '../app/work-list.tsx'
import { Tag } from '../ui/parts.tsx'

const pageSize = 20

export default function ContactListPage() {
  const text = useText()
  const words = text.admin.contacts
  const [params] = useSearchParams()
  const list = useList(listContacts, pageSize)
  const { confirm, dialog } = useConfirm(listContacts, getOverview)
  return (
    <>
      <WorkList
        name="contacts"
        title={text.admin.menu.contacts}
        lead={words.lead}
        filters={
          <FilterForm>
            <TextFilter name="keyword" label={words.company} value={params.get('keyword') ?? undefined} />
            <SelectFilter
              name="status"
              label={text.site.common.status}
              value={params.get('status') ?? undefined}
              all={text.site.common.all}
              options={Object.entries(words.status)}
            />
          </FilterForm>
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ company }) => company}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'company',
            label: words.company,
            whole: true,
            cell: (one) => (
              <>
                <strong>{one.company}</strong>
                <p className="small num">
                  {one.name} <a href={`tel:${one.phone}`}>{one.phone}</a> {one.email && <a href={`mailto:${one.email}`}>{one.email}</a>}
                </p>
              </>
            ),
          },
          {
            id: 'content',
            label: words.content,
            whole: true,
            cell: (one) => (
              <>
                <Tag>{text.site.contact.types[one.type]}</Tag> <span className="pre-line">{one.content}</span>
              </>
            ),
          },
          {
            id: 'at',
            label: text.admin.audit.at,
            sort: 'createTime',
            cell: ({ createTime }) => <span className="num">{minute(createTime)}</span>,
          },
          {
            id: 'note',
            label: words.note,
            cell: (one) =>
              one.status === contactStatus.handled ? (
                <>
                  {one.note}
                  <p className="small faint num">{words.by(one.handler, minute(one.handleTime))}</p>
                </>
              ) : (
                <button
                  type="button"
                  className="button button-small"
                  onClick={() =>
                    confirm({
                      title: words.handle,
                      question: one.company,
                      harmless: true,
                      note: { label: words.note, hint: words.handleHint, draft: `contact-${one.id}` },
                      run: (note) => call(handleContact, { params: { id: one.id }, body: { note } }),
                      done: () => words.handled,
                    })
                  }
                >
                  {words.handle}
                  <span className="visually-hidden"> {one.company}</span>
                </button>
              ),
          },
        ]}
      />
      {dialog}
    </>
  )
}
