/** A public profile as schema.org JSON-LD, for search engines and agents. */

import type { Profile } from './profile.ts'

/** https://schema.org/Person without empty fields. */
interface PersonJsonLd {
  readonly '@type': 'Person'
  readonly '@id': string
  readonly name: string
  readonly alternateName: string
  readonly url: string
  readonly [property: string]: unknown
}

/** A complete https://schema.org/ProfilePage. */
export function profilePageJsonLd(profile: Profile): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: profile.profile_url,
    dateCreated: profile.joined_at,
    dateModified: profile.updated_at,
    mainEntity: personJsonLd(profile),
  }
}

/** Without `@context`, so that it can be nested in another object, such as a ProfilePage. */
export function personJsonLd(profile: Profile): PersonJsonLd {
  const { username, name, profile_url, headline, about, title, organization } = profile
  const { location, avatar_url, skills, links } = profile
  return {
    '@type': 'Person',
    '@id': profile_url,
    name,
    alternateName: username,
    url: profile_url,
    ...(headline !== null && { disambiguatingDescription: headline }),
    ...(about !== null && { description: about }),
    ...(title !== null && { jobTitle: title }),
    ...(organization !== null && { worksFor: { '@type': 'Organization', name: organization } }),
    ...(location !== null && { homeLocation: { '@type': 'Place', name: location } }),
    ...(avatar_url !== null && { image: avatar_url }),
    ...(skills.length > 0 && { knowsAbout: skills }),
    ...(links.length > 0 && { sameAs: links.map(({ url }) => url) }),
  }
}
