import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Icon } from './icons.tsx'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEPT = 'holdpoint-theme'
const theme = signal<Theme>(THEMES.find((each) => each === localStorage.getItem(KEPT)) ?? 'auto')

export function applyTheme(): void {
  const { dataset } = document.documentElement
  if (theme.value === 'auto') delete dataset.theme
  else dataset.theme = theme.value
}

const WORDS: Readonly<Record<Theme, string>> = { auto: 'As the system', light: 'Light', dark: 'Dark' }

export function ThemeButton(): JSX.Element {
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
    localStorage.setItem(KEPT, theme.value)
    applyTheme()
  }
  return (
    <button type="button" class="plain" onClick={next}>
      <Icon name="theme" size={15} />
      <span class="hidden">Colours: </span>
      {WORDS[theme.value]}
    </button>
  )
}
