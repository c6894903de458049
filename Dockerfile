# The packed packages on Node 24, without the optional packages of Node and PostgreSQL. Run `npm run pack` first.
FROM node:24-slim
WORKDIR /srv/clicks
COPY packed /tmp/packed
RUN npm install --omit=optional --no-audit --no-fund /tmp/packed/*.tgz && rm -rf /tmp/packed /root/.npm \
  && mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production
EXPOSE 3000
CMD ["node_modules/.bin/clicks", "start"]
