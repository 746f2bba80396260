import { expect, it } from 'vitest'
import { packsOfSkills, packsToAdd } from './skill-packs.ts'

it.each([
  [[], []],
  [['mux'], ['mux']],
  [['mux-subagent', 'mux'], ['mux']],
  [['tidy', 'constructor'], []],
])('skills %j have the packs %j', (skills, packs) => {
  expect(packsOfSkills(skills)).toEqual(packs)
})

it.each([
  [[], ['mux']],
  [['safety'], ['mux']],
  [['mux'], []],
  [['mux-legacy'], []],
])('with %j enabled, %j is added', (on, added) => {
  expect(packsToAdd(['mux'], new Set(on))).toEqual(added)
})
