import { Html } from './html.ts'
import { ICON_PATHS } from './icon-paths.ts'

export type IconName = keyof typeof ICON_PATHS

const drawn = new Map<IconName, Html>()

/** An icon next to a text that says the same. It is hidden from screen readers. */
export function icon(name: IconName): Html {
  let known = drawn.get(name)
  if (!known) {
    const path = ICON_PATHS[name]
    known = Html.trust(
      `<svg class="icon" aria-hidden="true" width="16" height="16" viewBox="0 0 16 16"><path d="${path}"/></svg>`,
    )
    drawn.set(name, known)
  }
  return known
}
