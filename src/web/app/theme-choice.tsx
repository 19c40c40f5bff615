import { useOwnText } from './own-text.ts'
import { useText } from './text.tsx'
import { setTheme, themes, useTheme } from './theme.ts'

/** Three buttons in a row, one of them pressed: as the device, light, dark. */
export function ThemeChoice() {
  const { action } = useText().site
  const { themes: words } = useOwnText()
  const chosen = useTheme()
  return (
    <div className="theme-choice" role="group" aria-label={action.theme}>
      {themes.map((theme) => (
        <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => setTheme(theme)}>
          {words[theme]}
        </button>
      ))}
    </div>
  )
}
