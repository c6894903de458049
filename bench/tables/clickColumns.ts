/** The columns that an event has, in the order of its fields. */
export const clickColumns =
  `id, product_id, action, source, store_id, brand_id, campaign_id, dispensary_name, page_type, url_path,
  visitor_city, visitor_state, visitor_lat, visitor_lng, user_id, ip_address, user_agent, device_type, occurred_at, received_at`.replace(
    /\s+/g,
    " "
  )
