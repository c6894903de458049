# The packed packages on Node 24, without the Node and the PostgreSQL that they can bring. Run `npm run pack` before.
FROM node:24-slim
WORKDIR /srv/clicks
COPY packed /tmp/packed
RUN npm install --omit=optional --no-audit --no-fund /tmp/packed/*.tgz && rm -rf /tmp/packed /root/.npm \
  && mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production
EXPOSE 3000
CMD ["node_modules/.bin/clicks", "start"]
