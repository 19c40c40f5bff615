import { useRouteLoaderData } from 'react-router'
import { useLanguage } from './text.tsx'
import type { Site } from './visit.ts'

/** The names the site goes by, from the configuration through the root loader. */
export const useSite = (): Site =>
  useRouteLoaderData<{ site: Site }>('root')?.site ?? { name: '', nameEn: '', company: '', icp: '', phone: '' }

export function useSiteName(): string {
  const site = useSite()
  return useLanguage().locale === 'en-US' ? site.nameEn : site.name
}

/** https://example.cn, as the server knows itself. */
export const useOrigin = (): string => useRouteLoaderData<{ origin?: string }>('root')?.origin ?? ''
