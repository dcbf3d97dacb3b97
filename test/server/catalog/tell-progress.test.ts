import { expect, test, vi } from 'vitest'
import { tellProgress } from '../../../src/server/catalog/tell-progress.ts'

test('Progress is told once it takes a second', () => {
  const told: string[] = []
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const progress = tellProgress((text) => void told.push(text))
    clock.mockReturnValue(999)
    progress('threads', 0.25)
    clock.mockReturnValue(1000)
    progress('activity', 0.75)
  } finally {
    clock.mockRestore()
  }
  expect(told).toEqual(['making the index: activity (75 %)'])
})
