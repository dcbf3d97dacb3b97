/** Tables of people, who share their URLs. Of records with one URL the first counts, in this order. */
export const PEOPLE_TABLES = ['users', 'bots', 'organizations'] as const

export const isOfPeople = (table: string): boolean => PEOPLE_TABLES.some((name) => name === table)
