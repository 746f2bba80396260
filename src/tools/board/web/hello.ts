import { signal } from '@preact/signals'
import type { Hello } from '../api.ts'
import { getJson } from './server-calls.ts'

/** What every page needs to know: projects and hosts. */
export const hello = signal<Hello>({ project: '', projects: [], hosts: [], version: '', user: '' })

/** The project that pages about policy are about. */
export const project = signal('')

export async function loadHello(): Promise<void> {
  const loaded = await getJson<Hello>('/api/hello')
  if (!loaded.ok) return
  hello.value = loaded.value
  if (project.value === '') project.value = loaded.value.project
}
