import { useLanguage } from './text.tsx'

/** Switches between Chinese and English; it is labelled in the other language. */
export function LanguageButton({ className }: { className: string }) {
  const { text, locale, setLocale } = useLanguage()
  const isChinese = locale === 'zh-CN'
  return (
    <button
      type="button"
      className={className}
      lang={isChinese ? 'en' : 'zh-CN'}
      onClick={() => void setLocale(isChinese ? 'en-US' : 'zh-CN')}
    >
      {text.site.action.language}
    </button>
  )
}
