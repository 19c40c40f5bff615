import { ConfigProvider, theme } from 'antd'
import type { Locale } from 'antd/es/locale/index.js'
import enUS from 'antd/es/locale/en_US.js'
import zhCN from 'antd/es/locale/zh_CN.js'
import { useEffect, useState, type ReactNode } from 'react'
import { useLanguage } from './text.tsx'
import { tokens } from '../ui/tokens.ts'

/** The component library in our tokens, in the page's language, light or dark as the system is. */
export function Themed({ children }: { children: ReactNode }) {
  const { locale } = useLanguage()
  const dark = useDark()
  const palette = dark ? tokens.dark : tokens.light
  return (
    <ConfigProvider
      // The package's types call these modules CommonJS; they are not.
      locale={(locale === 'zh-CN' ? zhCN : enUS) as unknown as Locale}
      theme={{
        algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
        token: {
          colorPrimary: palette.blue,
          colorText: palette.ink,
          colorTextPlaceholder: palette.inkFaint,
          colorBorder: palette.lineStrong,
          colorBgContainer: palette.surface,
          colorError: palette.bad,
          borderRadius: tokens.radius,
          controlHeight: tokens.control,
          fontFamily: tokens.font,
          fontSize: 15,
          motionDurationMid: tokens.transition,
        },
      }}
    >
      {children}
    </ConfigProvider>
  )
}

function useDark(): boolean {
  const [dark, setDark] = useState(false)
  useEffect(() => {
    const query = window.matchMedia('(prefers-color-scheme: dark)')
    const update = () => setDark(query.matches)
    update()
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return dark
}
