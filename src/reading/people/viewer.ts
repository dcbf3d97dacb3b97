import { foldCase } from '../names.ts'

/** Who asks, as those who check credentials found out; undefined for a stranger. */
export type Viewer =
  | {
      readonly login: string
      readonly scopes: readonly string[]
      /** Organizations whose private records the viewer sees only after single sign-on. */
      readonly unauthorized?: readonly string[] | undefined
    }
  | undefined

/** Facts about people and organizations that the archives do not have, the same for all callers. */
export interface AccountFacts {
  readonly accounts: readonly {
    readonly login: string
    /** The number in answers, in place of the one that the archive gives. */
    readonly id?: number | undefined
    readonly siteAdmin?: boolean | undefined
    /** E-mail addresses, in place of those in the record. */
    readonly emails?: readonly string[] | undefined
  }[]
  readonly organizations: readonly {
    readonly login: string
    readonly id?: number | undefined
    /** Members in addition to those of the archive. */
    readonly members: readonly { readonly login: string; readonly role: string }[]
  }[]
  /** Logins of people whom an import brought, and who have no account. */
  readonly mannequins?: (() => readonly string[]) | undefined
}

/** Whether a viewer's credentials let them see anything private. Permissions decide what. */
export const seesPrivate = (viewer: Viewer): boolean => viewer?.scopes.includes('repo') ?? false

/** Whether single sign-on lets a viewer see what is private in an organization. */
export const isAuthorizedFor = (
  { unauthorized = [] }: NonNullable<Viewer>,
  organization: string,
): boolean => !unauthorized.some((name) => foldCase(name) === foldCase(organization))

/** A cache key: viewers with the same key see the same private things. Empty if they see none. */
export const viewerKey = (viewer: Viewer): string =>
  viewer && seesPrivate(viewer)
    ? [viewer.login, ...(viewer.unauthorized ?? [])].map(foldCase).join(' ')
    : ''
