<?php

// A CardDAV server of sabre/dav on SQLite, whose tables bench/carddav.ts creates. SABRE_DAV is a folder in which
// `composer require sabre/dav` ran. Any password is accepted.

require getenv('SABRE_DAV') . '/vendor/autoload.php';

$pdo = new PDO('sqlite:' . getenv('SABRE_DATABASE'));
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$principals = new Sabre\DAVACL\PrincipalBackend\PDO($pdo);
$server = new Sabre\DAV\Server([
    new Sabre\DAVACL\PrincipalCollection($principals),
    new Sabre\CardDAV\AddressBookRoot($principals, new Sabre\CardDAV\Backend\PDO($pdo)),
]);
$server->addPlugin(new Sabre\DAV\Auth\Plugin(new Sabre\DAV\Auth\Backend\BasicCallBack(fn () => true)));
$server->addPlugin(new Sabre\CardDAV\Plugin());
$server->addPlugin(new Sabre\DAVACL\Plugin());
$server->addPlugin(new Sabre\DAV\Sync\Plugin());
$server->start();
