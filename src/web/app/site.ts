import { useRouteLoaderData } from 'react-router'
import { useLanguage } from './text.tsx'
import type { Site } from '#shared/site.ts'

/** The names of the site, which the root loader reads from the configuration. */
export const useSite = (): Site => useRouteLoaderData<{ site: Site }>('root')?.site ?? unnamed

const unnamed: Site = { name: '', nameEn: '', company: '', address: '', icp: '', police: '', phone: '', hours: '', apiDocs: false }

export function useSiteName(): string {
  const site = useSite()
  return useLanguage().locale === 'en-US' ? site.nameEn : site.name
}

/** The origin of the site as the server is configured, such as https://example.cn. */
export const useOrigin = (): string => useRouteLoaderData<{ origin?: string }>('root')?.origin ?? ''
