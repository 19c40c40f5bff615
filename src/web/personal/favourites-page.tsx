import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import {
  deleteSavedSearch,
  editSavedSearch,
  favouriteTypes,
  listFavourites,
  listSavedSearches,
  setFavourite,
  type SavedSearch,
} from '#shared/favourite/contract.ts'
import type { Answered } from '#shared/endpoint.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { DemandListItem } from '../demand/demand-card.tsx'
import { useCategories } from '../category/category-tree.ts'
import { MachineCard } from '../equipment/machine-card.tsx'
import { machineRow } from '../equipment/machine-row.ts'
import { LessorCardView } from '../company/lessor-card.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { machineName, minute } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useLanguage } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Link } from '../ui/link.tsx'
import { repeatMs } from '../ui/throttle.ts'

const tabs = [...favouriteTypes, 'searches'] as const

export default function FavouritesPage() {
  const { text } = useLanguage()
  const { favourite } = text.personal
  const site = useSiteName()
  const [params] = useSearchParams()
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'equipment'
  const list = useQuery({ queryKey: [listFavourites.url], queryFn: () => call(listFavourites, {}) })
  const searches = useQuery({ queryKey: [listSavedSearches.url], queryFn: () => call(listSavedSearches, {}) })
  const refresh = () => void invalidate(listFavourites)
  const gone = list.data?.gone.filter(({ bizType }) => bizType === tab) ?? []
  const clear = useMutation({
    mutationFn: () => Promise.all(gone.map((one) => call(setFavourite, { body: { ...one, kept: false } }))),
    // Some may be gone although another was refused.
    onSettled: refresh,
  })
  const counts = {
    equipment: list.data?.equipment.length,
    supplier: list.data?.supplier.length,
    demand: list.data?.demand.length,
    searches: searches.data?.length,
  }
  return (
    <div className="stack">
      <Head title={favourite.title} site={site} index={false} />
      <h1>{favourite.title}</h1>
      <Tabs
        label={favourite.title}
        tabs={tabs.map((one) => ({ to: `?tab=${one}`, label: favourite[one], count: counts[one] || undefined, current: one === tab }))}
      />
      {gone.length > 0 && (
        <p className="notice row between">
          {favourite.gone(gone.length)}
          <button type="button" className="link" data-repeat-ms={repeatMs} aria-disabled={clear.isPending} onClick={() => clear.mutate()}>
            {favourite.clearGone}
          </button>
        </p>
      )}
      {tab === 'searches' ? (
        <Searches list={searches} />
      ) : (
        <Loaded query={list}>
          {(favourites) =>
            favourites[tab].length > 0 ? (
              <FavouriteRows tab={tab} favourites={favourites} onChange={refresh} />
            ) : (
              <div className="panel">
                <Empty title={favourite.none} hint={favourite.noneHint} />
              </div>
            )
          }
        </Loaded>
      )}
    </div>
  )
}

function FavouriteRows({
  tab,
  favourites,
  onChange,
}: {
  tab: (typeof favouriteTypes)[number]
  favourites: Answered<typeof listFavourites>
  onChange: () => void
}) {
  const { text } = useLanguage()
  const categories = useCategories()
  if (tab === 'demand')
    return (
      <div className="stack">
        {favourites.demand.map((demand) => (
          <DemandListItem
            key={demand.id}
            demand={demand}
            extra={<FavouriteButton bizType="demand" bizId={demand.id} name={demand.title} onChange={onChange} />}
          />
        ))}
      </div>
    )
  return (
    <div className={tab === 'supplier' ? 'cards roomy' : 'cards'}>
      {tab === 'equipment'
        ? favourites.equipment.map((machine) => (
            <MachineCard
              key={machine.id}
              machine={machineRow(machine, categories)}
              extra={<FavouriteButton bizType="equipment" bizId={machine.id} name={machineName(text, machine)} onChange={onChange} />}
            />
          ))
        : favourites.supplier.map((company) => (
            <LessorCardView
              key={company.id}
              company={company}
              extra={<FavouriteButton bizType="supplier" bizId={company.id} name={company.enterpriseName} onChange={onChange} />}
            />
          ))}
    </div>
  )
}

function Searches({ list }: { list: UseQueryResult<SavedSearch[]> }) {
  const { text } = useLanguage()
  const { favourite } = text.personal
  const refresh = () => invalidate(listSavedSearches)
  const alert = useMutation({
    mutationFn: (one: SavedSearch) => call(editSavedSearch, { params: { id: one.id }, body: { alert: !one.alert } }),
    onSuccess: refresh,
    onError: (error) => (isOutdated(error) ? refresh() : undefined),
  })
  const { confirm, dialog } = useConfirm(listSavedSearches)
  const remove = ({ id, name }: SavedSearch) =>
    confirm({
      title: text.site.common.delete,
      question: favourite.deleteAsk,
      subject: name,
      run: () => call(deleteSavedSearch, { params: { id } }),
      done: () => text.account.message.deleted,
    })
  return (
    <>
      <Loaded query={list} rows={2}>
        {(searches) =>
          searches.length === 0 ? (
            <div className="panel">
              <Empty title={text.site.common.empty} hint={favourite.noSearches} />
            </div>
          ) : (
            <ul className="settings panel">
              {searches.map((one) => (
                <li key={one.id} className="row between">
                  <div>
                    <Link to={paths.savedSearch(one.list, one.query)}>
                      <strong>{one.name}</strong>
                    </Link>{' '}
                    <Tag>{favourite[one.list]}</Tag>
                    <p className="small faint num">{minute(one.createTime)}</p>
                  </div>
                  <span className="row small">
                    <button
                      type="button"
                      className="link"
                      data-repeat-ms={repeatMs}
                      aria-pressed={one.alert}
                      aria-disabled={alert.isPending}
                      onClick={() => alert.mutate(one)}
                    >
                      {one.alert ? favourite.alertOn : favourite.alertOff}
                    </button>
                    <button type="button" className="link" onClick={() => remove(one)}>
                      {text.site.common.delete}
                    </button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {dialog}
    </>
  )
}
